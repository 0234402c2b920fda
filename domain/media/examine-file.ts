import { detectType, fitsLabel, HEAD_BYTES, isAllowed } from './media-type.ts'
import { type MediaKind, mediaRules } from './rules.ts'

const EMPTY = 'This file is empty. Please choose a different one.'

/** A file that may be stored, or why not. */
type Examined = { type: string; problem?: undefined } | { problem: string }

/**
 * Looks at a chosen file: its label, its size, and its first bytes, which cannot be mislabelled. Exactly as large as the
 * limit is allowed, as it is by the server. A file without a label gets the one that its bytes show.
 */
export async function examineFile(kind: MediaKind, file: Blob): Promise<Examined> {
  const { types, maxBytes, wrongType, tooLarge } = mediaRules[kind]
  if (file.type && !isAllowed(file.type, types)) return { problem: wrongType }
  if (file.size === 0) return { problem: EMPTY }
  if (file.size > maxBytes) return { problem: tooLarge }
  const detected = await detectType(new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer()))
  const type = file.type || detected
  if (!type || !isAllowed(type, types) || !fitsLabel(type, detected, types)) return { problem: wrongType }
  return { type }
}

/** One box of an MP4 file: where its content begins and ends. */
interface Box {
  type: string
  start: number
  end: number
}

/** The description of the tracks: more than this holds no recording that could be uploaded. */
const MAX_MOOV_BYTES = 16 * 1024 * 1024
const LONGEST_HEADER = 16
/** A film has a handful of boxes, or a few for every second where it was recorded in fragments. */
const MAX_BOXES = 1000

/** Reads the header of the box at an offset; undefined where there is none. @param end where the box's parent ends */
const boxAt = (view: DataView, at: number, offset: number, end: number): Box | undefined => {
  if (at + 8 > view.byteLength) return undefined
  const short = view.getUint32(at)
  const isLong = short === 1
  if (isLong && at + LONGEST_HEADER > view.byteLength) return undefined
  const size = isLong ? Number(view.getBigUint64(at + 8)) : short === 0 ? end - offset : short
  const header = isLong ? 16 : 8
  if (size < header) return undefined
  const type = String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + at + 4, 4))
  return { type, start: offset + header, end: Math.min(offset + size, end) }
}

function* boxesIn(view: DataView, start: number, end: number): Generator<Box> {
  for (let at = start; at < end; ) {
    const box = boxAt(view, at, at, end)
    if (!box) return
    yield box
    at = box.end
  }
}

/** Whether the boxes tell of a track with sound: moov > trak > mdia > hdlr, whose handler is `soun`. */
const tellsOfSound = (view: DataView, start: number, end: number): boolean => {
  for (const box of boxesIn(view, start, end)) {
    if (box.type === 'hdlr' && box.end >= box.start + 12 && view.getUint32(box.start + 8) === 0x736f756e)
      return true
    const isContainer = box.type === 'trak' || box.type === 'mdia'
    if (isContainer && tellsOfSound(view, box.start, box.end)) return true
  }
  return false
}

const read = async (file: Blob, start: number, end: number) =>
  new DataView(await file.slice(start, end).arrayBuffer())

/**
 * Whether an MP4 file has a track with sound, by its own table of contents, wherever in the file that stands. Undefined
 * for files of other kinds, and for those that do not say.
 */
export async function hasAudioTrack(file: Blob): Promise<boolean | undefined> {
  for (let at = 0, boxes = 0; at < file.size && boxes < MAX_BOXES; boxes++) {
    const box = boxAt(await read(file, at, at + LONGEST_HEADER), 0, at, file.size)
    if (!box || (at === 0 && box.type !== 'ftyp')) return undefined
    if (box.type === 'moov' && box.end - box.start <= MAX_MOOV_BYTES) {
      const moov = await read(file, box.start, box.end)
      return tellsOfSound(moov, 0, moov.byteLength)
    }
    at = box.end
  }
  return undefined
}
