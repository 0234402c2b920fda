import { lazy, Suspense } from 'react'
import { useMember } from '#app/session/current-user.tsx'
import { OptionalPart } from '#app/ui/optional-part.tsx'
import type { HeartButtonProps } from './heart-button.tsx'

// Visitors download nothing of it.
const Heart = lazy(async () => ({ default: (await import('./heart-button.tsx')).HeartButton }))

/** Save and unsave, for members only (specification, section 6). */
export function SaveButton(props: HeartButtonProps) {
  if (!useMember()) return null
  return (
    <OptionalPart>
      <Suspense fallback={null}>
        <Heart {...props} />
      </Suspense>
    </OptionalPart>
  )
}
