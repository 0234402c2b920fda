import { fileTypeFromBuffer, supportedMimeTypes } from 'file-type'

/** `image/png; charset=x` is of the type `image/png`. */
const withoutParameters = (type: string): string => type.split(';', 1)[0]?.trim().toLowerCase() ?? ''

/** Whether a bucket takes the type; patterns are `image/png`, `image/*` or `*`. A bucket without a list takes all. */
export function isAllowed(type: string, patterns: readonly string[] | null): boolean {
  if (!patterns) return true
  const wanted = withoutParameters(type)
  return patterns.some((pattern) => {
    const allowed = withoutParameters(pattern)
    if (allowed === '*' || allowed === '*/*') return true
    return allowed.endsWith('/*') ? wanted.startsWith(allowed.slice(0, -1)) : wanted === allowed
  })
}

/**
 * Whether content may carry a label. `detected` is what its first bytes say, undefined when they say nothing. What has
 * a signature must show it; one member of a family may pass for another (a JPEG called PNG, audio in an MP4) as long as
 * the bucket takes both.
 */
export function fitsLabel(
  label: string,
  detected: string | undefined,
  patterns: readonly string[] | null,
): boolean {
  const claimed = withoutParameters(label)
  if (!detected) return !hasSignature(claimed)
  const found = withoutParameters(detected)
  if (containerOf(claimed) === containerOf(found)) return true
  const related =
    isMedia(claimed) && familyOf(claimed) === familyOf(found) && found !== SVG && claimed !== SVG
  return (related || !hasSignature(claimed)) && isAllowed(found, patterns)
}

/** Pictures and recordings: nobody means to store an empty one. */
export const isMedia = (type: string): boolean => /^(image|audio|video)\//.test(withoutParameters(type))

const SVG = 'image/svg+xml'

const familyOf = (type: string): string => type.split('/', 1)[0] ?? ''

const hasSignature = (type: string): boolean => isMedia(type) || supportedMimeTypes.has(type as never)

/** Types that are told apart by what is inside, or only by habit, and share one signature. */
const containers: ReadonlyArray<readonly [name: string, members: RegExp]> = [
  ['mp4', /^(audio|video)\/(mp4|x-m4a|m4a|x-m4v|quicktime|3gpp2?)$|^application\/mp4$/],
  ['webm', /^(audio|video)\/(webm|matroska|x-matroska)$/],
  ['ogg', /^(audio|video|application)\/(ogg|opus|x-ogg|speex)$/],
  ['mp3', /^audio\/(mpeg|mp3|x-mp3|x-mpeg)$/],
  ['wav', /^audio\/(wav|x-wav|wave|vnd\.wave)$/],
  ['flac', /^audio\/(x-)?flac$/],
  ['aac', /^audio\/(x-)?(aac|aacp)$/],
  ['jpeg', /^image\/p?jpe?g$/],
  ['png', /^image\/(x-)?a?png$/],
  ['ico', /^image\/(x-icon|vnd\.microsoft\.icon)$/],
  ['zip', /^application\/(zip|x-zip-compressed|java-archive|epub\+zip|vnd\.(openxmlformats|oasis)[\w.-]*)$/],
  ['cfb', /^application\/(x-cfb|msword|vnd\.ms-[\w.-]+)$/],
  ['xml', /^(application|text)\/xml$/],
  ['gzip', /^application\/(x-)?gzip$/],
]

const containerOf = (type: string): string =>
  containers.find(([, members]) => members.test(type))?.[0] ?? type

/** As much of a file as must be seen to tell its type. */
export const HEAD_BYTES = 4100

/** What may stand before the root element of an XML document. One at a time: all in one pattern would backtrack. */
const PROLOGUE = /^(\uFEFF|\s+|<\?[^>]*\?>|<!--[\s\S]*?-->|<!DOCTYPE[^>[]*(\[[^\]]*\])?[^>]*>)/i

/** The type that a file's first bytes show; undefined for texts and for what nobody knows. */
export async function detectType(head: Uint8Array): Promise<string | undefined> {
  const found = await fileTypeFromBuffer(head.subarray(0, HEAD_BYTES))
  return found && found.mime !== 'application/xml' ? found.mime : isSvg(head) ? SVG : found?.mime
}

function isSvg(head: Uint8Array): boolean {
  let text = new TextDecoder().decode(head.subarray(0, HEAD_BYTES))
  for (;;) {
    const before = PROLOGUE.exec(text)?.[0]
    if (!before) return /^<svg[\s>/]/i.test(text)
    text = text.slice(before.length)
  }
}
