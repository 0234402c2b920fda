const box = (type: string, ...content: Buffer[]) => {
  const body = Buffer.concat(content)
  const header = Buffer.alloc(8)
  header.writeUInt32BE(body.length + 8)
  header.write(type, 4)
  return Buffer.concat([header, body])
}

/** The table of contents of an MP4 file. @param handlers what each track is for: `vide`, `soun` */
export const mp4Of = (...handlers: string[]) => {
  const tracks = handlers.map((handler) =>
    box(
      'trak',
      box('tkhd', Buffer.alloc(84)),
      box('mdia', box('hdlr', Buffer.alloc(8), Buffer.from(handler), Buffer.alloc(13))),
    ),
  )
  return Buffer.concat([
    box('ftyp', Buffer.from('isom\0\0\0\0isommp42')),
    box('mdat', Buffer.alloc(1000)),
    box('moov', box('mvhd', Buffer.alloc(100)), ...tracks),
  ])
}
