import { expect, it } from 'vitest'
import { freeName, readName } from './names.ts'

it('suggests a name that is not taken', () => {
  expect(freeName('Phone', [])).toBe('Phone')
  expect(freeName('Phone', ['Phone', 'Phone 2'])).toBe('Phone 3')
})

it('needs a name', () => {
  const fields = new FormData()
  expect(() => readName(fields)).toThrow()
  fields.set('name', '  My phone ')
  expect(readName(fields)).toBe('My phone')
})
