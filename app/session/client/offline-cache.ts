import { isMemberCache, memberCacheName } from '#app/worker/messages.ts'
import { type Member, sessionKeys } from '../current-user.tsx'

/** Where browsers have no storage for a site's own files (over plain http, in some private windows), nothing is kept. */
const canKeep = () => typeof caches !== 'undefined'

/** The account of the stored session, which counts without a network too: an expired token cannot be renewed there. */
export function storedMemberId(): string | null {
  try {
    const id = JSON.parse(localStorage.getItem(sessionKeys.session) ?? 'null')?.user?.id
    return typeof id === 'string' ? id : null
  } catch {
    return null
  }
}

const address = (name: string) => `/kept/${name}`

/** What the member who is signed in here has kept on this device under a name; null when there is no such thing. */
export async function readCached<Kept>(name: string): Promise<Kept | null> {
  const id = storedMemberId()
  if (!id || !canKeep()) return null
  try {
    const found = await caches.match(address(name), { cacheName: memberCacheName(id) })
    return found ? ((await found.json()) as Kept) : null
  } catch {
    return null // Storage is forbidden here: nothing was ever kept.
  }
}

/** Errors: the device has no room left. */
export async function cacheForMember(memberId: string, name: string, value: unknown): Promise<void> {
  const cache = await caches.open(memberCacheName(memberId))
  await cache.put(address(name), Response.json(value))
}

/** Takes away what members have kept on this device. @param except the one who is signed in */
export async function purgeOfflineCache(except?: string): Promise<void> {
  if (!canKeep()) return
  const others = (name: string) => isMemberCache(name) && (!except || name !== memberCacheName(except))
  const names = await caches.keys().catch(() => [])
  await Promise.all(names.filter(others).map((name) => caches.delete(name)))
}

/** The member as they were when they kept something here last. */
export const cachedMember = async (): Promise<Member | null> =>
  (await readCached<{ member: Member }>('list'))?.member ?? null
