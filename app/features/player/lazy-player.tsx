import { lazy } from 'react'
import { OptionalPart } from '#app/ui/optional-part.tsx'
import type { ResourceSummary } from '#domain/resource.ts'
import './player.css'

/**
 * The player in a file of its own, which only pages with a podcast ask for. It has no Suspense boundary on purpose: a
 * page is shown when its players are, so that nothing jumps, and the server's HTML holds them in their places.
 */
const PodcastPlayer = lazy(async () => {
  const { PodcastPlayer } = await import('./podcast-player.tsx')
  return { default: PodcastPlayer }
})

/** Plays an episode; the lock screen shows its picture, or else the show's. Without our player it is the browser's own. */
export const LazyPlayer = ({ resource, compact }: { resource: ResourceSummary; compact?: boolean }) => (
  <OptionalPart otherwise={<NativePlayer resource={resource} />}>
    <PodcastPlayer
      resource={resource}
      compact={compact}
      artwork={resource.image_url ?? '/podcast-cover.png'}
    />
  </OptionalPart>
)

const NativePlayer = ({ resource: { title, audioUrl } }: { resource: ResourceSummary }) =>
  audioUrl && (
    // biome-ignore lint/a11y/useMediaCaption: episodes come without caption tracks
    <audio className="w-full" controls preload="none" src={audioUrl} aria-label={`Podcast: ${title}`} />
  )
