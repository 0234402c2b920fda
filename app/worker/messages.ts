import { cacheNames, type PageToKeep } from './caches.ts'

/** What a page may ask of the worker: to keep a page, in the visitors' cache or in a member's own. */
export interface KeepMessage {
  cacheName: string
  page: PageToKeep
}

/** The name of a member's own cache. */
export const memberCacheName = (memberId: string): string => `${MEMBER}${memberId}`
const MEMBER = 'member-'

/** Whether a cache holds what a member asked to keep. */
export const isMemberCache = (name: string): boolean => name.startsWith(MEMBER)

/** Reads what a page has sent; null when it is nothing that the worker does. Only pages of our own origin can send. */
export function readMessage(data: unknown): KeepMessage | null {
  const { cacheName, page } = (data ?? {}) as Partial<KeepMessage>
  if (typeof cacheName !== 'string' || !page || !isPath(page.address)) return null
  return cacheName === cacheNames.pages || isMemberCache(cacheName) ? { cacheName, page } : null
}

/** `//elsewhere.example` looks like one, and is another site. */
const isPath = (address: unknown) => typeof address === 'string' && /^\/(?!\/)/.test(address)
