import { expect, test } from 'vitest'
import { mostSimilar } from './schema.ts'

const names = ['resources', 'users', 'content_version', 'research']

test.each([
  ['resource', 'resources'],
  ['RESOURCES', 'resources'],
  ['user', 'users'],
  ['content-version', 'content_version'],
  ['zebra', undefined],
  ['', undefined],
  ['x'.repeat(5000), undefined],
])('%s looks like %s', (wanted, expected) => expect(mostSimilar(wanted, names)).toBe(expected))

test('the most similar of several is taken', () => {
  expect(mostSimilar('reserch', names, 0.3)).toBe('research')
  expect(mostSimilar('anything', [])).toBeUndefined()
})
