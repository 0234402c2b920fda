interface Entry {
  name: string
  /** Bytes after unpacking, as the archive says. */
  size: number
}

const END_OF_DIRECTORY = 0x06054b50
const ENTRY = 0x02014b50
const END_BYTES = 22
const ENTRY_BYTES = 46
const MAX_COMMENT = 0xffff

/** Where the end record begins, which stands last, but for a comment. */
const endOf = (view: DataView) => {
  const last = view.byteLength - END_BYTES
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT); at--) {
    if (view.getUint32(at, true) === END_OF_DIRECTORY) return at
  }
  return -1
}

/** What a zip archive holds, read from its directory without unpacking it; nothing when it is none or is damaged. */
export const zipDirectory = (bytes: Uint8Array): Entry[] => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = endOf(view)
  if (end < 0) return []
  const entries: Entry[] = []
  let at = view.getUint32(end + 16, true)
  while (at + ENTRY_BYTES <= end && view.getUint32(at, true) === ENTRY) {
    const nameLength = view.getUint16(at + 28, true)
    const start = at + ENTRY_BYTES
    entries.push({
      name: new TextDecoder().decode(bytes.subarray(start, start + nameLength)),
      size: view.getUint32(at + 24, true),
    })
    at = start + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return entries
}
