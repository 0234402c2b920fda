import { useEffect, useState } from 'react'
import { href } from 'react-router'
import { cacheForMember, storedMemberId } from '#app/session/client/offline-cache.ts'
import type { Member } from '#app/session/current-user.tsx'
import { Button } from '#app/ui/button.tsx'
import { Banner } from '#app/ui/page.tsx'
import { memberCacheName } from '#app/worker/messages.ts'
import type { ResourceSummary } from '#domain/resource.ts'
import { askToKeep, loadedAssets, startWorker } from './worker.ts'

/** What the profile shows without a network. */
export interface KeptList {
  member: Member
  saved: ResourceSummary[]
  recommended: ResourceSummary[]
}

/** So many at a time: a long list must not crowd out the rest of the site. */
const AT_ONCE = 3

interface ToKeep extends KeptList {
  /** What a resource's own page shows to this member. */
  readPage: (id: string) => Promise<unknown>
}

/**
 * Keeps a member's saved resources on this device: what their pages show, their pictures, and the pages to show it on.
 * Recordings are left out, for they are large and nobody asked for them. Resolves with how many are kept, null where
 * the browser can keep nothing.
 */
export async function keepSaved({ readPage, ...list }: ToKeep): Promise<number | null> {
  const worker = await startWorker()
  if (!worker) return null
  const { id } = list.member
  const cacheName = memberCacheName(id)
  const keepPage = (address: string, title = '', picture: string | null = null) =>
    askToKeep(worker, { cacheName, page: { address, title, picture, assets: loadedAssets() } })

  const waiting = [...list.saved]
  let kept = 0
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      await cacheForMember(id, `resource/${next.id}`, await readPage(next.id))
      if (await keepPage(href('/resource/:id', { id: next.id }), next.title, next.image_url)) kept++
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  await cacheForMember(id, 'list', list)
  await keepPage(href('/profile'))
  // Whoever signed out meanwhile wants nothing left behind.
  if (storedMemberId() !== id) await forgetMine(id)
  return kept
}

const forgetMine = (memberId: string): Promise<boolean> => caches.delete(memberCacheName(memberId))

/** How many resources this member has kept here; 0 for none. */
async function countKept(memberId: string): Promise<number> {
  if (typeof caches === 'undefined' || !(await caches.has(memberCacheName(memberId)))) return 0
  const cache = await caches.open(memberCacheName(memberId))
  const addresses = (await cache.keys()).map(({ url }) => new URL(url).pathname)
  return addresses.filter((pathname) => pathname.startsWith('/kept/resource/')).length
}

interface KeepSavedButtonProps {
  memberId: string
  /** Keeps all saved resources; resolves with how many, null where the browser cannot. */
  keep: () => Promise<number | null>
}

type State = 'ready' | 'working' | 'failed' | 'impossible'

const problems: Partial<Record<State, string>> = {
  failed: 'Not everything could be kept. Please try again.',
  impossible: 'This browser cannot keep pages: it is saving data, or it is a private window.',
}

/** Lets a member read what they saved without a network: on this device, until they log out or take it away. */
export function KeepSavedButton({ memberId, keep }: KeepSavedButtonProps) {
  const [kept, setKept] = useState(0)
  const [state, setState] = useState<State>('ready')
  useEffect(() => {
    countKept(memberId).then(setKept, () => undefined)
  }, [memberId])

  const start = async () => {
    setState('working')
    try {
      const count = await keep()
      setState(count === null ? 'impossible' : 'ready')
      setKept(count ?? 0)
    } catch {
      setState('failed')
      setKept(await countKept(memberId))
    }
  }
  const stop = async () => {
    await forgetMine(memberId)
    setKept(0)
  }
  return (
    <div className="mt-6 space-y-3">
      <p role="status" className="text-muted">
        {kept > 0 ? `${wordFor(kept)} kept on this device, until you log out.` : HELP}
      </p>
      <div className="flex flex-wrap gap-3">
        <Button look="secondary" onClick={start} disabled={state === 'working'}>
          {state === 'working' ? 'Please wait...' : kept > 0 ? 'Keep the newest' : 'Keep on this device'}
        </Button>
        {kept > 0 && (
          <Button look="quiet" onClick={stop} disabled={state === 'working'}>
            Remove from this device
          </Button>
        )}
      </div>
      {problems[state] && <Banner tone="error">{problems[state]}</Banner>}
    </div>
  )
}

const HELP = 'Read them without a network too. Recordings are not kept, and logging out removes everything.'
const wordFor = (count: number) => (count === 1 ? '1 resource is' : `${count} resources are`)
