import { parseBuffer } from 'music-metadata'
import sharp from 'sharp'
import { encodeArticle } from '#domain/article/encoding.ts'
import { readingTime } from '#domain/article/text.ts'
import type { StarterPodcast, StarterReading, StarterResource } from './read-library.ts'

/** A file on its way into a bucket. */
export interface PreparedMedia {
  bucket: 'images' | 'audio'
  name: string
  type: string
  bytes: Uint8Array
}

export interface PreparedResource {
  row: Record<string, unknown>
  media: PreparedMedia
}

const PICTURE_WIDTH = 1600

/** Computes what is never typed by hand: durations, the encoded article, and the picture in a format for the web. */
export const prepare = (resource: StarterResource): Promise<PreparedResource> =>
  resource.category === 'reading' ? prepareReading(resource) : preparePodcast(resource)

async function prepareReading({ slug, facts, html, picture }: StarterReading): Promise<PreparedResource> {
  const { imageAlt, ...columns } = facts
  const bytes = await sharp(picture).resize({ width: PICTURE_WIDTH }).webp({ quality: 82 }).toBuffer()
  const media = { bucket: 'images', name: `resource-images/${slug}.webp`, type: 'image/webp', bytes } as const
  const row = {
    ...columns,
    category: 'reading',
    image_url: publicAddress(media),
    image_alt: imageAlt ?? null,
    article_content: encodeArticle(html),
    duration: readingTime(html),
  }
  return { row, media }
}

async function preparePodcast({ slug, facts, audio }: StarterPodcast): Promise<PreparedResource> {
  const { format } = await parseBuffer(audio, { mimeType: 'audio/mpeg' }, { duration: true })
  const media = {
    bucket: 'audio',
    name: `resource-audio/${slug}.mp3`,
    type: 'audio/mpeg',
    bytes: audio,
  } as const
  const row = {
    ...facts,
    category: 'podcast',
    audioUrl: publicAddress(media),
    duration: Math.round(format.duration ?? 0),
  }
  return { row, media }
}

/** Kept without the origin, so that a site can move (design, section 6). */
const publicAddress = ({ bucket, name }: PreparedMedia): string =>
  `/storage/v1/object/public/${bucket}/${name}`
