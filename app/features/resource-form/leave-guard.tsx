import { type ReactNode, useEffect } from 'react'
import { useBlocker } from 'react-router'
import { askBeforeLogout } from '#app/session/client/log-out.ts'
import { useConfirm } from '#app/ui/dialog.tsx'

interface LeaveGuard {
  /** Whether something is unsaved, asked at the moment of leaving. */
  isGuarded(): boolean
  /** Keeps what can be kept; whether it can come back. */
  keep(): Promise<boolean>
  /** The admin was asked, and logs out. @param leavesNothing what was typed is to go from this browser */
  onLogout(leavesNothing: boolean): void
}

/**
 * Asks before unsaved changes are left behind, by Logout too: in our words within the site, in the browser's when the page
 * is closed. Returns the dialog to be rendered.
 */
export function useLeaveGuard({ isGuarded, keep, onLogout }: LeaveGuard): ReactNode {
  const [ask, dialog] = useConfirm()
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && isGuarded(),
  )
  const { state, proceed, reset } = blocker
  // biome-ignore lint/correctness/useExhaustiveDependencies: one question for each time that leaving was stopped
  useEffect(() => {
    if (state !== 'blocked') return
    keep()
      .then((isKept) => ask({ ...question, body: isKept ? KEPT : LOST, confirmLabel: 'Leave' }))
      .then((leaves) => (leaves ? proceed() : reset()))
  }, [state])
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (isGuarded()) event.preventDefault()
    }
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isGuarded])
  useEffect(
    () =>
      askBeforeLogout(async () => {
        if (!isGuarded()) return true
        let leavesNothing = false
        const setLeavesNothing = (leaves: boolean) => {
          leavesNothing = leaves
        }
        const body = (await keep()) ? <LogoutTerms onLeaveNothing={setLeavesNothing} /> : LOST
        if (!(await ask({ ...question, body, confirmLabel: 'Log out' }))) return false
        onLogout(leavesNothing)
        return true
      }),
    [isGuarded, keep, onLogout, ask],
  )
  return dialog
}

const question = { title: 'Leave without saving?', cancelLabel: 'Keep editing', tone: 'danger' } as const
const KEPT =
  'Your changes are not saved yet. They are kept in this browser and offered to you when you come back.'
const LOST = 'Your changes are not saved yet, and this browser has no room to keep them: they would be lost.'

const LogoutTerms = ({ onLeaveNothing }: { onLeaveNothing: (leaves: boolean) => void }) => (
  <>
    <p>
      Your changes are not saved yet. They are kept in this browser and offered to you when you log in again;
      nobody else who logs in here is shown them.
    </p>
    <label className="flex min-h-11 items-start gap-3 pt-2 text-ink">
      <input
        type="checkbox"
        className="mt-1 size-5 shrink-0"
        onChange={({ target }) => onLeaveNothing(target.checked)}
      />
      <span>
        Others use this computer: delete all my drafts from it
        <span className="block text-sm text-muted">Then they cannot be brought back.</span>
      </span>
    </label>
  </>
)
