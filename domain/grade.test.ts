import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { containsGrade, gradeRange, parseGrade } from './grade.ts'
import { gradeOptions } from './listing.ts'

const format =
  "Grade must be in range format (e.g., K-12, 6-8, 1-3). Use 'K' for Kindergarten or numbers 1-12."
const start = 'Starting grade must be K or a number from 1 to 12.'
const end = 'Ending grade must be K or a number from 1 to 12.'
const order = 'Starting grade must be less than or equal to ending grade (K comes before all numbers).'

test.each([
  ['K-12', 0, 12, 'K-12'],
  ['6-8', 6, 8, '6-8'],
  ['7-7', 7, 7, '7-7'],
  ['K-K', 0, 0, 'K-K'],
  [' k-5 ', 0, 5, 'K-5'],
  ['06-08', 6, 8, '6-8'],
  ['', 0, 12, 'K-12'],
  ['   ', 0, 12, 'K-12'],
])('parseGrade(%j) reads %i to %i', (input, low, high, text) => {
  expect(parseGrade(input)).toEqual({ range: { low, high }, text })
})

test.each([
  ['7', format],
  ['K', format],
  ['6–8', format],
  ['6 - 8', format],
  ['6-8-9', format],
  ['a-b', format],
  ['-3', format],
  ['123-4', format],
  ['0-5', start],
  ['13-14', start],
  ['13-2', start],
  ['1-0', end],
  ['K-13', end],
  ['8-6', order],
  ['1-K', order],
])('parseGrade(%j) explains what is wrong', (input, error) => expect(parseGrade(input)).toEqual({ error }))

describe('the grade filter', () => {
  it('offers 6 to 12', () => expect(gradeOptions).toEqual([6, 7, 8, 9, 10, 11, 12]))

  it.each([
    ['K-12', 6, true],
    ['K-5', 0, true],
    ['6-8', 6, true],
    ['6-8', 8, true],
    ['6-8', 9, false],
    ['7', 7, true],
    ['7', 8, false],
    ['', 6, false],
    [null, 6, false],
    ['grown-ups', 6, false],
    ['6-', 6, false],
  ])('%j contains %i: %s', (stored, chosen, contained) => {
    expect(containsGrade(stored, chosen)).toBe(contained)
  })

  it('finds in every grade that the form accepts exactly the grades between its ends', () => {
    const grade = fc.integer({ min: 0, max: 12 })
    fc.assert(
      fc.property(grade, grade, grade, (a, b, chosen) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)]
        const parsed = parseGrade(`${low || 'K'}-${high || 'K'}`)
        const text = 'text' in parsed ? parsed.text : ''
        expect(gradeRange(text)).toEqual({ low, high })
        expect(containsGrade(text, chosen)).toBe(low <= chosen && chosen <= high)
      }),
    )
  })
})
