import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { anchorId, leadsElsewhere, safeImage, safeLink } from './links.ts'

test.each([
  ['https://a.example/b?c=d#e', 'https://a.example/b?c=d#e'],
  ['HTTP://A.example', 'http://a.example/'],
  [' https://a.example/ ', 'https://a.example/'],
  ['//a.example/b', 'https://a.example/b'],
  ['mailto:a@b.example?subject=x', 'mailto:a@b.example?subject=x'],
  ['tel:988', 'tel:988'],
  ['/resources/reading?page=2#x', '/resources/reading?page=2#x'],
  ['/a/../b', '/b'],
  ['/.//evil.example', undefined],
  ['#part 1', '#article-part-1'],
  ['#caf%C3%A9', '#article-café'],
  ['#%', '#article--'],
  ['#article-x', '#article-x'],
  ['#', undefined],
  ['', undefined],
  ['page.html', undefined],
  ['?x', undefined],
  ['https://', undefined],
  ['javascript:alert(1)', undefined],
  ['java\nscript:alert(1)', undefined],
  ['\u0001javascript:alert(1)', undefined],
  ['data:text/html,x', undefined],
  ['ftp://a.example', undefined],
])('safeLink(%j) is %j', (href, link) => expect(safeLink(href)).toBe(link))

test.each([
  ['/storage/v1/object/public/images/a.webp', '/storage/v1/object/public/images/a.webp'],
  ['https://a.example/b.png', 'https://a.example/b.png'],
  ['http://a.example/b.png', undefined],
  ['a.png', undefined],
  ['#x', undefined],
  ['mailto:a@b.example', undefined],
  ['data:image/png;base64,iVBORw0KGgo=', 'data:image/png;base64,iVBORw0KGgo='],
  ['data:image/jpg;base64,\n iVBO\n Rw0K', 'data:image/jpeg;base64,iVBORw0K'],
  ['DATA:image/png;base64,AAAA', undefined],
  ['data:image/svg+xml;base64,AAAA', undefined],
  ['data:image/png,AAAA', undefined],
  ['data:image/png;base64,<script>', undefined],
  ['data:text/html;base64,AAAA', undefined],
])('safeImage(%j) is %j', (src, image) => expect(safeImage(src)).toBe(image))

describe('a safe link', () => {
  it('is safe, and the same, when it is read again', () => {
    const parts = [
      '/',
      '\\',
      ':',
      '#',
      '?',
      '.',
      '%',
      '@',
      'a',
      'https:',
      'javascript:',
      'mailto:',
      ' ',
      '\t',
      'é',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 8 }), (pieces) => {
        const link = safeLink(pieces.join(''))
        if (link === undefined) return
        expect(link).toMatch(/^(?:https?:\/\/|mailto:|tel:|\/(?![/\\])|#article-)/)
        expect(safeLink(link)).toBe(link)
      }),
      { numRuns: 2000 },
    )
  })

  it('leads elsewhere when it names a host', () => {
    expect(leadsElsewhere('https://a.example/')).toBe(true)
    expect(leadsElsewhere('/about')).toBe(false)
    expect(leadsElsewhere('tel:988')).toBe(false)
  })
})

it('gives an anchor the same id from both its ends', () => {
  expect(safeLink('#Caf%C3%A9%201')).toBe(`#${anchorId('Café 1')}`)
})
