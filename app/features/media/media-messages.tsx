import type { MediaKind } from '#domain/media/rules.ts'
import { mediaRules } from '#domain/media/rules.ts'
import type { Answer } from './resumable-upload.ts'

interface MediaWords {
  label: string
  noun: string
  upload: string
  hint: string
  pickerTitle: string
  uploadFailed: string
  /** Followed by the server's message. */
  loadFailed: string
  deleteFailed: string
  /** What file dialogs offer. */
  accept: string
}

/** What the screen says about pictures and recordings; the failures are the specification's words (section 8). */
export const mediaWords: Readonly<Record<MediaKind, MediaWords>> = {
  image: {
    label: 'Image URL',
    noun: 'picture',
    upload: 'Upload image',
    hint: 'An address, or a picture of up to 5 MB. You can also drop one here.',
    pickerTitle: 'Choose a picture',
    uploadFailed: 'Failed to upload image',
    loadFailed: 'Failed to load existing images',
    deleteFailed: 'Failed to delete image',
    accept: 'image/*',
  },
  audio: {
    label: 'Audio URL',
    noun: 'recording',
    upload: 'Upload audio',
    hint: 'An address, or a recording of up to 50 MB. You can also drop one here.',
    pickerTitle: 'Choose a recording',
    uploadFailed: 'Failed to upload audio',
    loadFailed: 'Failed to load existing audio files',
    deleteFailed: 'Failed to delete audio file',
    accept: 'audio/*,video/mp4',
  },
}

/** Why an upload was refused, for people: undefined where the server gave no reason. */
const reasonOf = (kind: MediaKind, { status, message }: Answer) => {
  if (status === 0) return 'The connection broke off. Please try again.'
  if (status === 413) return mediaRules[kind].tooLarge
  if (status === 415) return mediaRules[kind].wrongType
  if (status === 401 || status === 403)
    return 'You may have been logged out. Log in again in another tab, then retry.'
  return message || undefined
}

/** A message, and under it what more is known. */
export const Said = ({ message, detail }: { message: string; detail?: string }) => (
  <>
    <p>{message}</p>
    {detail && <p className="mt-2 text-base text-muted">{detail}</p>}
  </>
)

/** What is said of an upload that the storage did not take. */
export const UploadRefused = ({ kind, answer }: { kind: MediaKind; answer: Answer }) => (
  <Said message={mediaWords[kind].uploadFailed} detail={reasonOf(kind, answer)} />
)
