import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { readingTime } from './article/text.ts'

const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(' ')

test.each([
  [0, 0],
  [1, 30],
  [100, 30],
  [149, 30],
  [150, 60],
  [200, 60],
  [249, 60],
  [250, 90],
  [1000, 300],
])('%i words take %i seconds', (count, seconds) =>
  expect(readingTime(`<p>${words(count)}</p>`)).toBe(seconds),
)

test.each([
  '',
  '   ',
  '<p></p>',
  '<p>&nbsp;</p>',
  '<hr><img alt="">',
  '<p>—</p>',
  '<style>p { color: red }</style>',
])('%j is nothing to read', (html) => expect(readingTime(html)).toBe(0))

it('does not glue the words of two paragraphs together', () => {
  expect(readingTime('<p>a</p><p>b</p>'.repeat(75))).toBe(60)
})

it('does not count what nobody reads', () => {
  const hidden = `<style>${words(500)}</style><script>${words(500)}</script><!-- ${words(500)} --><title>${words(500)}</title>`
  expect(readingTime(`${hidden}<p title="${words(500)}">${words(200)}</p>`)).toBe(60)
})

it('is a multiple of 30 seconds within 15 of the exact time, for any length', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3000 }), (count) => {
      const seconds = readingTime(words(count))
      expect(seconds % 30).toBe(0)
      expect(Math.abs(seconds - Math.max(30, (count / 200) * 60))).toBeLessThanOrEqual(15)
    }),
  )
})
