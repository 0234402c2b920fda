import { lazy, Suspense } from 'react'
import { useMember } from '#app/session/reader.ts'
import type { MemberControlsProps } from './member-controls.tsx'

// Visitors download nothing of it.
const Controls = lazy(async () => ({ default: (await import('./member-controls.tsx')).MemberControls }))

/** What the reader can do with a resource beside reading it; nothing for visitors (specification, section 6). */
export function ReaderControls(props: MemberControlsProps) {
  if (!useMember()) return null
  return (
    <Suspense fallback={null}>
      <Controls {...props} />
    </Suspense>
  )
}
