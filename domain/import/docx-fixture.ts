import { crc32 } from 'node:zlib'

/** A zip archive that stores its files as they are. */
export function zip(files: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(files)) {
    const data = Buffer.from(content as string)
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt32LE(crc32(data), 10)
    facts.writeUInt32LE(data.length, 14)
    facts.writeUInt32LE(data.length, 18)
    facts.writeUInt16LE(Buffer.byteLength(name), 22)
    const entry = Buffer.alloc(14)
    entry.writeUInt32LE(offset, 10)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), facts, Buffer.from(name), data])
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), facts, entry, Buffer.from(name))
    parts.push(local)
    offset += local.length
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(Object.keys(files).length, 8)
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(offset, 16)
  return new Uint8Array(Buffer.concat([...parts, ...directory, end]))
}

const types = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>
  <Default Extension="emf" ContentType="image/x-emf"/></Types>`

const officeDocument = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relations = (list: string) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list}</Relationships>`

const style = (id: string, name: string) =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/></w:style>`

const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'

/** A paragraph of a document. @param style the id of a style of `docx` */
export const paragraph = (text: string, styleId?: string) =>
  `<w:p>${styleId ? `<w:pPr><w:pStyle w:val="${styleId}"/></w:pPr>` : ''}<w:r><w:t>${text}</w:t></w:r></w:p>`

/** A picture in a document. @param file a name under `word/media/` that is given to `docx` */
export const picture = (file: string, alt: string) => `<w:p><w:r><w:drawing>
  <wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:docPr id="1" descr="${alt}"/>
  <a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData>
  <pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill>
  <a:blip xmlns:r="${officeDocument}" r:embed="${file}"/></pic:blipFill></pic:pic>
  </a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`

/** A small Word document. @param media pictures by their names */
export const docx = (body: string, media: Readonly<Record<string, Uint8Array>> = {}) =>
  zip({
    '[Content_Types].xml': types,
    '_rels/.rels': relations(
      `<Relationship Id="r1" Type="${officeDocument}/officeDocument" Target="word/document.xml"/>`,
    ),
    'word/document.xml': `<w:document ${word}><w:body>${body}</w:body></w:document>`,
    'word/styles.xml': `<w:styles ${word}>${style('Title', 'Title')}${style('Fancy', 'Fancy Box')}</w:styles>`,
    'word/_rels/document.xml.rels': relations(
      `<Relationship Id="rs" Type="${officeDocument}/styles" Target="styles.xml"/>${Object.keys(media)
        .map((name) => `<Relationship Id="${name}" Type="${officeDocument}/image" Target="media/${name}"/>`)
        .join('')}`,
    ),
    ...Object.fromEntries(Object.entries(media).map(([name, bytes]) => [`word/media/${name}`, bytes])),
  })
