import { describe, expect, it } from 'vitest'
import { genderLabels, genders, gendersFor, isGender, matchesGender } from './resource.ts'

describe('gender', () => {
  it('offers all, female, male and other', () => {
    expect(genders.map((gender) => genderLabels[gender])).toEqual(['All', 'Female', 'Male', 'Other'])
  })

  it.each(['female', 'all'])('knows %s', (text) => expect(isGender(text)).toBe(true))
  it.each(['', 'ALL', 'toString', null])('does not take %j for one', (text) =>
    expect(isGender(text)).toBe(false),
  )

  it.each([
    ['female', 'female', true],
    ['all', 'female', true],
    ['all', 'all', true],
    ['male', 'female', false],
    ['female', 'all', false],
    ['', 'other', false],
    [null, 'all', false],
  ] as const)('a resource for %j passes the filter %s: %s', (resource, chosen, passes) => {
    expect(matchesGender(resource, chosen)).toBe(passes)
  })

  it('asks the database for the chosen gender and for all', () => {
    expect(gendersFor('male')).toEqual(['male', 'all'])
    expect(gendersFor('all')).toEqual(['all'])
  })
})
