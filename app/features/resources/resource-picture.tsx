import { Icon } from '#app/ui/icon.tsx'
import { type Loading, ResponsiveImage } from '#app/ui/responsive-image.tsx'
import type { ResourceSummary } from '#domain/resource.ts'
import { categoryIcons } from './category-badge.tsx'
import { SoundWave } from './sound-wave.tsx'
import './resource-picture.css'

interface ResourcePictureProps {
  resource: Pick<ResourceSummary, 'id' | 'category' | 'image_url' | 'image_alt'>
  loading: Loading
  /** How wide it is shown; else as a card of the listing. */
  sizes?: string
}

const cardSizes = '(min-width:68rem) 16rem,(min-width:38rem) 45vw,calc(100vw - 2.5rem)'

/** The picture of a resource, 16 to 9: a podcast's orange banner, its own picture, or the sign of its category. */
export function ResourcePicture({ resource, loading, sizes = cardSizes }: ResourcePictureProps) {
  const { id, category, image_url, image_alt } = resource
  if (category === 'podcast') return <SoundWave id={id} />
  if (!image_url) {
    return (
      <div className="resource-picture resource-blank">
        <Icon icon={categoryIcons[category]} className="size-12" strokeWidth={1} />
      </div>
    )
  }
  return (
    <ResponsiveImage
      className="resource-picture"
      src={image_url}
      alt={image_alt ?? ''}
      loading={loading}
      sizes={sizes}
    />
  )
}
