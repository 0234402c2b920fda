import { lazy } from 'react'
import '#app/features/player/player.css'

/**
 * The player in a file of its own, which only pages with a podcast ask for. It has no Suspense boundary on purpose: a
 * page is shown when its players are, so that nothing jumps, and the server's HTML holds them in their places.
 */
export const LazyPodcastPlayer = lazy(async () => {
  const { PodcastPlayer } = await import('#app/features/player/podcast-player.tsx')
  return { default: PodcastPlayer }
})
