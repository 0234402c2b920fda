import { describe, expect, it } from 'vitest'
import { docx, paragraph, picture, zip } from '#tests/support/docx.ts'
import { importArticle } from './import-article.ts'

const png = new Uint8Array(Buffer.from('89504e470d0a1a0a', 'hex'))
const imported = (bytes: Uint8Array) => importArticle({ name: 'Phones at home.docx', bytes })

describe('a .docx document', () => {
  it('becomes an article with its title, description and pictures', async () => {
    const body =
      paragraph('Phones “at home”', 'Title') +
      paragraph('') +
      paragraph('How to agree.') +
      picture('a.png', 'A phone')
    expect(await imported(docx(body, { 'a.png': png }))).toEqual({
      html:
        '<h1 class="MsoTitle">Phones "at home"</h1><p>How to agree.</p>' +
        '<p><img alt="A phone" src="data:image/png;base64,iVBORw0KGgo="></p>',
      title: 'Phones "at home"',
      description: 'How to agree.',
      link: 'word/Phones at home.docx',
      word: true,
      notes: [
        'Curly quotes, long dashes and other typographic characters were replaced by plain ones.',
        'Fonts and colours are not taken along: articles look like the rest of the site.',
      ],
    })
  })

  it('says once and in plain words what did not come through', async () => {
    const body =
      paragraph('a', 'Fancy') +
      paragraph('b', 'Fancy') +
      picture('b.emf', '') +
      '<w:p><w:r><w:pict><v:imagedata xmlns:v="urn:schemas-microsoft-com:vml"/></w:pict></w:r></w:p>' +
      '<m:oMath/>'
    const math = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    const { notes } = await imported(docx(body.replace('<m:oMath', `<m:oMath ${math}`), { 'b.emf': png }))
    expect(notes).toEqual([
      'A picture in the format EMF cannot be shown. As PNG or JPEG it would come through.',
      expect.stringContaining('A picture is missing'),
      expect.stringContaining('Formulas are left out'),
      'The style “Fancy Box” has no counterpart here: its text looks like any other.',
      expect.stringContaining('Fonts and colours'),
    ])
  })

  it('is told from other archives', async () => {
    await expect(imported(zip({ 'xl/workbook.xml': '<x/>' }))).rejects.toThrow('This is not a Word document.')
  })

  it('is refused when it would fill the memory', async () => {
    const bomb = zip({ 'word/document.xml': '<x/>' })
    const end = bomb.length - 22
    const directory = new DataView(bomb.buffer).getUint32(end + 16, true)
    new DataView(bomb.buffer).setUint32(directory + 24, 0xf0000000, true)
    await expect(imported(bomb)).rejects.toThrow('This article is too large')
  })

  it('is refused when it is damaged', async () => {
    await expect(imported(zip({ 'word/document.xml': '<w:document' }))).rejects.toThrow('Error reading file')
    await expect(imported(docx(paragraph('a')).slice(0, 300))).rejects.toThrow('Error reading file')
  })
})
