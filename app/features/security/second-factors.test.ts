import { expect, it } from 'vitest'
import { nameSchema } from './add-factor.tsx'
import { freeName } from './second-factors.tsx'

it('suggests a name that is not taken', () => {
  expect(freeName('Phone', [])).toBe('Phone')
  expect(freeName('Phone', ['Phone', 'Phone 2'])).toBe('Phone 3')
})

it('needs a name', () => {
  expect(nameSchema.safeParse('').success).toBe(false)
  expect(nameSchema.parse('  My phone ')).toBe('My phone')
})
