import { expect, it } from 'vitest'
import { disputed, proposedChoices, settle } from './conflict.ts'
import { defaultFields } from './fields.ts'

const before = { ...defaultFields('reading', '2026-01-15'), title: 'Sleep', description: 'Old.' }
const mine = { ...before, title: 'Sleep well', grade: '6-8' }
const theirs = { ...before, title: 'Sleep better', description: 'New.', date: '2026-11-20' }

it('the fields that differ are disputed, but not the date', () => {
  expect(disputed(mine, theirs)).toEqual(['title', 'description', 'grade'])
})

it('what only the other one changed is proposed as theirs', () => {
  expect(proposedChoices(mine, theirs, before)).toEqual({
    title: 'mine',
    description: 'theirs',
    grade: 'mine',
  })
})

it('where it is not known how it began, all that was typed is proposed', () => {
  expect(proposedChoices(mine, theirs, null)).toEqual({ title: 'mine', description: 'mine', grade: 'mine' })
})

it('each field becomes what was chosen for it', () => {
  const settled = settle(mine, theirs, { title: 'theirs', description: 'theirs', grade: 'mine' })
  expect(settled).toEqual({ ...mine, title: 'Sleep better', description: 'New.' })
})
