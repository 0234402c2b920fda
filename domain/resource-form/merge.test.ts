import { describe, expect, it } from 'vitest'
import { defaultFields } from './fields.ts'
import { mergeFields, proposedChoices, settle } from './merge.ts'

const base = { ...defaultFields('reading', '2026-01-15'), title: 'Sleep', description: 'Old.' }
const mine = { ...base, title: 'Sleep well', grade: '6-8' }
const theirs = { ...base, title: 'Sleep better', description: 'New.', date: '2026-11-20' }

describe('a merge of three versions', () => {
  it('asks only about what both changed', () => {
    const { conflicts, taken } = mergeFields({ base, mine, theirs })
    expect({ conflicts, taken }).toEqual({ conflicts: ['title'], taken: ['description'] })
  })

  it('takes what only they changed, and keeps what only I changed', () => {
    const { fields, conflicts } = mergeFields({ base, mine: { ...base, grade: '6-8' }, theirs })
    expect(conflicts).toEqual([])
    expect(fields).toEqual({ ...base, grade: '6-8', title: 'Sleep better', description: 'New.' })
  })

  it('has nothing to ask where both came to the same', () => {
    const { conflicts, taken } = mergeFields({ base, mine: theirs, theirs })
    expect([...conflicts, ...taken]).toEqual([])
  })

  it('sees that emptying a field is a change too', () => {
    const emptied = { ...base, description: '' }
    expect(mergeFields({ base, mine: emptied, theirs }).conflicts).toEqual(['description'])
    expect(mergeFields({ base, mine: base, theirs: emptied }).fields.description).toBe('')
  })

  it('asks about all that differs where nobody knows how it began', () => {
    const { conflicts, taken } = mergeFields({ base: null, mine, theirs })
    expect({ conflicts, taken }).toEqual({ conflicts: ['title', 'description', 'grade'], taken: [] })
  })
})

it('what both changed is proposed for neither', () => {
  expect(proposedChoices(mergeFields({ base, mine, theirs }).taken)).toEqual({ description: 'theirs' })
})

it('each field becomes what was chosen for it', () => {
  const settled = settle({ mine, theirs }, { title: 'theirs', description: 'theirs', grade: 'mine' })
  expect(settled).toEqual({ ...mine, title: 'Sleep better', description: 'New.' })
})
