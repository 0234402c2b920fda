import type { Media, Preferences } from '../request/types.ts'
import { rowMedia } from './media.ts'
import type { Answer, Checks } from './types.ts'

export const answerOf = (media: Media, { count }: Preferences, empty: boolean): Answer => ({
  media,
  empty,
  ...(count && { count }),
})

export const checksOf = (media: Media): Checks => ({
  single: rowMedia(media).kind === 'object',
  replacesOne: false,
})

/** The limit on changed rows counts only when the client insists on being understood (protocol.md 6.6). */
export const maxAffectedOf = ({ handling, maxAffected }: Preferences): Pick<Checks, 'maxAffected'> =>
  handling === 'strict' && maxAffected !== undefined ? { maxAffected } : {}
