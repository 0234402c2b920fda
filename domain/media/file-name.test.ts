import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { safeFileName } from './file-name.ts'

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
