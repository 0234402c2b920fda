import { type PageToKeep, shelves } from './shelves.ts'

/** What a page may ask of the worker: to keep a page, on the visitors' shelf or on a member's own. */
export interface KeepMessage {
  shelf: string
  page: PageToKeep
}

/** The name of a member's own shelf. */
export const memberShelf = (memberId: string): string => `${MEMBER}${memberId}`
const MEMBER = 'member-'

/** Whether a shelf holds what a member asked to keep. */
export const isMemberShelf = (name: string): boolean => name.startsWith(MEMBER)

/** Reads what a page has sent; null when it is nothing that the worker does. Only pages of our own origin can send. */
export function readMessage(data: unknown): KeepMessage | null {
  const { shelf, page } = (data ?? {}) as Partial<KeepMessage>
  if (typeof shelf !== 'string' || !page || !isPath(page.address)) return null
  return shelf === shelves.pages || isMemberShelf(shelf) ? { shelf, page } : null
}

/** `//elsewhere.example` looks like one, and is another site. */
const isPath = (address: unknown) => typeof address === 'string' && /^\/(?!\/)/.test(address)
