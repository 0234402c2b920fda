import { type ReactNode, useEffect } from 'react'
import { useBlocker } from 'react-router'
import { useConfirm } from '#app/ui/confirm-dialog.tsx'

/**
 * Asks before unsaved changes are left behind: in our words within the site, in the browser's when the page is closed.
 * Returns the dialog to be rendered. @param isGuarded asked at the moment of leaving @param isKept whether it can come back
 */
export function useLeaveGuard(isGuarded: () => boolean, isKept: () => boolean): ReactNode {
  const [ask, dialog] = useConfirm()
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && isGuarded(),
  )
  const { state, proceed, reset } = blocker
  // biome-ignore lint/correctness/useExhaustiveDependencies: one question for each time that leaving was stopped
  useEffect(() => {
    if (state !== 'blocked') return
    ask({ ...question, body: isKept() ? KEPT : LOST }).then((leave) => (leave ? proceed() : reset()))
  }, [state])
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (isGuarded()) event.preventDefault()
    }
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isGuarded])
  return dialog
}

const KEPT =
  'Your changes are not saved yet. They are kept in this browser and offered to you when you come back.'
const LOST = 'Your changes are not saved yet, and this browser has no room to keep them: they would be lost.'

const question = { title: 'Leave without saving?', confirmLabel: 'Leave', tone: 'danger' } as const
