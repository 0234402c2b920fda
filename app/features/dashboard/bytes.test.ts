import { expect, it } from 'vitest'
import { bytesLabel } from './bytes.ts'

it.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1 KB'],
  [1536, '1.5 KB'],
  [200 * 1024, '200 KB'],
  [5 * 1024 ** 2, '5 MB'],
  [3.27 * 1024 ** 3, '3.3 GB'],
  [2 * 1024 ** 5, '2048 TB'],
])('%i bytes are %s', (bytes, label) => {
  expect(bytesLabel(bytes)).toBe(label)
})
