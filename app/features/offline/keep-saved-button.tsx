import { useEffect, useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Banner } from '#app/ui/page.tsx'
import { countKept, forgetMine } from './keep-saved.ts'

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
