import type { ResourceSummary } from '#domain/resource.ts'
import { Icon } from './icon.tsx'
import { SoundWave } from './sound-wave.tsx'
import './resource-picture.css'

/** lazy: when it comes near; eager: at once; first: before everything else, because it is the largest thing seen. */
export type Loading = 'lazy' | 'eager' | 'first'

interface ResourcePictureProps {
  resource: Pick<ResourceSummary, 'id' | 'category' | 'image_url' | 'image_alt'>
  loading: Loading
}

/** The picture of a resource, 16 to 9: a podcast's orange banner, its own picture, or the sign of its category. */
export function ResourcePicture({ resource, loading }: ResourcePictureProps) {
  const { id, category, image_url, image_alt } = resource
  if (category === 'podcast') return <SoundWave id={id} />
  if (!image_url) {
    return (
      <div className="resource-picture resource-blank">
        <Icon name={category} className="size-12" isThin />
      </div>
    )
  }
  return (
    <img
      className="resource-picture"
      src={image_url}
      alt={image_alt ?? ''}
      width={1600}
      height={900}
      loading={loading === 'lazy' ? 'lazy' : 'eager'}
      fetchPriority={loading === 'first' ? 'high' : undefined}
      decoding="async"
    />
  )
}
