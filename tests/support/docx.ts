import { strToU8, zipSync } from 'fflate'

/** A zip archive of some files. */
export const zip = (files: Readonly<Record<string, string | Uint8Array>>): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [
        name,
        typeof content === 'string' ? strToU8(content) : content,
      ]),
    ),
    { level: 0 },
  )

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
