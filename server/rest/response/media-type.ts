import type { Media, RowMedia } from '../request/types.ts'

const rowType = (media: RowMedia): string => {
  switch (media.kind) {
    case 'array':
      return media.stripped ? 'application/vnd.pgrst.array+json;nulls=stripped' : 'application/json'
    case 'object':
      return `application/vnd.pgrst.object+json${media.stripped ? ';nulls=stripped' : ''}`
    case 'csv':
      return 'text/csv'
    case 'text':
      return 'text/plain'
    case 'binary':
      return 'application/octet-stream'
  }
}

/** The Content-Type of an answer. */
export function contentType(media: Media): string {
  if (media.kind === 'binary') return rowType(media)
  if (media.kind !== 'plan') return `${rowType(media)}; charset=utf-8`
  const options = media.options.length > 0 ? `; options=${media.options.join('|')}` : ''
  return `application/vnd.pgrst.plan+${media.format}; for="${rowType(media.of)}"${options}; charset=utf-8`
}
