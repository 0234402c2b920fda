import { restErrors } from '../errors.ts'
import type { Acceptable, Media, RowMedia } from '../request/types.ts'

interface Offer {
  /** The answer is one plain value, which can also be written without JSON around it. */
  plainValue: boolean
  plans: boolean
}

/** The best form that is both wanted and there. Errors: PGRST107. */
export function chooseMedia(accept: Acceptable[], offer: Offer): Media {
  const chosen = accept.find(({ media }) => media && isOffered(media, offer))?.media
  if (!chosen) throw restErrors.mediaType(accept.map(({ type }) => type))
  return chosen
}

const isOffered = (media: Media, { plainValue, plans }: Offer): boolean => {
  if (media.kind === 'plan') return plans
  return media.kind === 'text' || media.kind === 'binary' ? plainValue : true
}

/** What the rows look like, whether they are sent or only explained. */
export const rowMedia = (media: Media): RowMedia => (media.kind === 'plan' ? media.of : media)
