import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressOfFile, keptAddress, safeFileName, shownAddress, thumbnailAddress } from './rules.ts'

const here = { siteUrl: 'https://site.example', apiUrl: 'https://site.example' }
const hosted = { siteUrl: 'https://site.example', apiUrl: 'https://p.supabase.example' }
const kept = '/storage/v1/object/public/images/resource-images/a%20b.png'

describe('addresses of media', () => {
  it.each([
    [kept, here, `https://site.example${kept}`],
    [kept, hosted, `https://p.supabase.example${kept}`],
    ['/placeholder.svg', hosted, 'https://site.example/placeholder.svg'],
    ['https://elsewhere.example/a.png', hosted, 'https://elsewhere.example/a.png'],
    ['', here, ''],
  ])('%s is shown in full, and kept as it was', (stored, origins, shown) => {
    expect(shownAddress(stored, origins)).toBe(shown)
    expect(keptAddress(shown, origins)).toBe(stored)
  })

  it.each([
    [' https://elsewhere.example/a.png ', 'https://elsewhere.example/a.png'],
    ['https://site.example.evil.example/a.png', 'https://site.example.evil.example/a.png'],
    ['https://p.supabase.example/rest/v1/', 'https://p.supabase.example/rest/v1/'],
    ['https://site.example', 'https://site.example'],
    ['words', 'words'],
  ])('%j is kept as %j', (typed, stored) => expect(keptAddress(typed, hosted)).toBe(stored))

  it('names of files are written as addresses need them', () => {
    expect(addressOfFile('images', 'resource-images/a b&c.png')).toBe(
      '/storage/v1/object/public/images/resource-images/a%20b%26c.png',
    )
  })

  it('only stored pictures have small versions', () => {
    expect(thumbnailAddress(kept, hosted, 320)).toBe(
      'https://p.supabase.example/storage/v1/render/image/public/images/resource-images/a%20b.png?width=320',
    )
    expect(thumbnailAddress('https://elsewhere.example/a.png', here, 320)).toBe(
      'https://elsewhere.example/a.png',
    )
  })
})

describe('safeFileName', () => {
  it.each([
    ['photo.png', 'photo.png'],
    ['My photo (2) & co.PNG', 'My photo (2) & co.PNG'],
    ['../../etc/passwd.png', 'passwd.png'],
    ['..\\secret.png', 'secret.png'],
    ['C:\\Users\\me\\a.png', 'a.png'],
    ['.htaccess', 'htaccess'],
    ['...png', 'png'],
    ['a\u0000b\u0007\u202egnp.png', 'abgnp.png'],
    ['a\tb\n c.png', 'ab c.png'],
    ['50% #1 <b>?.png', '50- -1 -b-.png'],
    ['Émile à Zürich.jpg', 'Emile a Zurich.jpg'],
    ['हिन्दी 日本語.png', 'हिन्दी 日本語.png'],
    ['half\ud83d.png', 'half-.png'],
    ['👩‍👧.png', '-.png'],
    ['', 'file'],
    ['../', 'file'],
    ['.png', 'png'],
    [`${'x'.repeat(300)}.jpeg`, `${'x'.repeat(155)}.jpeg`],
    [`${'x'.repeat(300)}`, 'x'.repeat(160)],
    [`a.${'x'.repeat(300)}`, `a.${'x'.repeat(158)}`],
  ])('%j becomes %j', (name, safe) => expect(safeFileName(name)).toBe(safe))

  it('is one segment that any disk can hold, whatever the name, and stays as it is the second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
        const safe = safeFileName(name)
        expect(safe).not.toMatch(/[/\\\p{C}]|^\.|^\s|\s$/u)
        expect(new TextEncoder().encode(safe).length).toBeLessThanOrEqual(255)
        expect(safe).not.toBe('')
        expect(safeFileName(safe)).toBe(safe)
      }),
    )
  })
})
