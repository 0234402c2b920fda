import { describe, expect, it } from 'vitest'
import { importedFields, mergeFields, proposedChoices, readDraft, settle } from './draft.ts'
import { defaultFields } from './fields.ts'

const now = Date.UTC(2026, 10, 20)
const day = 24 * 60 * 60 * 1000
const base = { ...defaultFields('reading', '2026-11-20'), title: 'A thought' }
const draft = {
  key: 'b9c3e1a0-5d55-4f5e-9df3-1f6a3d7b9a10',
  member: 'an-admin',
  id: '0d0d4a4e-4d0c-4f5e-9df3-1f6a3d7b9a10',
  savedAt: now,
  basedOn: '2026-11-19T08:00:00.123456+00:00',
  fields: { ...base, title: 'Half a thou', article: 'x'.repeat(3_000_000) },
  base,
}

it('a draft is read as it was written, however long it is', () => {
  expect(readDraft(structuredClone(draft), now)).toEqual(draft)
})

it('a draft of something new has no base', () => {
  const fresh = { ...draft, basedOn: null, base: null }
  expect(readDraft(fresh, now)).toEqual(fresh)
})

it('a draft is kept for 30 days', () => {
  expect(readDraft(draft, now + 29 * day)).not.toBeNull()
  expect(readDraft(draft, now + 31 * day)).toBeNull()
})

describe('what is no draft is ignored', () => {
  it.each<[string, unknown]>([
    ['nothing', null],
    ['no object', 'draft'],
    ['no key', { ...draft, key: undefined }],
    ['nobody’s', { ...draft, member: null }],
    ['no id', { ...draft, id: 7 }],
    ['no time', { ...draft, savedAt: 'yesterday' }],
    ['no row', { ...draft, basedOn: 3 }],
    ['no fields', { ...draft, fields: null }],
    ['an unknown category', { ...draft, fields: { ...base, category: 'news' } }],
    ['an unknown gender', { ...draft, fields: { ...base, gender: 'robot' } }],
    ['a field of another type', { ...draft, fields: { ...base, public: 'yes' } }],
    ['a field that is missing', { ...draft, fields: { category: 'reading', gender: '' } }],
  ])('%s', (_, stored) => expect(readDraft(stored, now)).toBeNull())
})

it('fields that nobody knows are dropped, and a base that cannot be read is none', () => {
  const read = readDraft(
    { ...draft, fields: { ...draft.fields, extra: '<script>' }, base: { title: 1 } },
    now,
  )
  expect(read?.fields).toEqual(draft.fields)
  expect(read?.base).toBeNull()
})

const begun = { ...defaultFields('reading', '2026-01-15'), title: 'Sleep', description: 'Old.' }
const mine = { ...begun, title: 'Sleep well', grade: '6-8' }
const theirs = { ...begun, title: 'Sleep better', description: 'New.', date: '2026-11-20' }

describe('a merge of three versions', () => {
  it('asks only about what both changed', () => {
    const { conflicts, taken } = mergeFields({ base: begun, mine, theirs })
    expect({ conflicts, taken }).toEqual({ conflicts: ['title'], taken: ['description'] })
  })

  it('takes what only they changed, and keeps what only I changed', () => {
    const { fields, conflicts } = mergeFields({ base: begun, mine: { ...begun, grade: '6-8' }, theirs })
    expect(conflicts).toEqual([])
    expect(fields).toEqual({ ...begun, grade: '6-8', title: 'Sleep better', description: 'New.' })
  })

  it('has nothing to ask where both came to the same', () => {
    const { conflicts, taken } = mergeFields({ base: begun, mine: theirs, theirs })
    expect([...conflicts, ...taken]).toEqual([])
  })

  it('sees that emptying a field is a change too', () => {
    const emptied = { ...begun, description: '' }
    expect(mergeFields({ base: begun, mine: emptied, theirs }).conflicts).toEqual(['description'])
    expect(mergeFields({ base: begun, mine: base, theirs: emptied }).fields.description).toBe('')
  })

  it('asks about all that differs where nobody knows how it began', () => {
    const { conflicts, taken } = mergeFields({ base: null, mine, theirs })
    expect({ conflicts, taken }).toEqual({ conflicts: ['title', 'description', 'grade'], taken: [] })
  })
})

it('what both changed is proposed for neither', () => {
  expect(proposedChoices(mergeFields({ base: begun, mine, theirs }).taken)).toEqual({ description: 'theirs' })
})

it('each field becomes what was chosen for it', () => {
  const settled = settle({ mine, theirs }, { title: 'theirs', description: 'theirs', grade: 'mine' })
  expect(settled).toEqual({ ...mine, title: 'Sleep better', description: 'New.' })
})

const empty = defaultFields('reading', '2026-01-15')
const found = { html: '<p>New</p>', title: 'From the file', description: 'Its words.', link: 'word/a.docx' }

it('an empty form is filled, and nobody is asked', () => {
  expect(importedFields(found, empty)).toEqual({
    fills: { title: 'From the file', description: 'Its words.', article: '<p>New</p>', link: 'word/a.docx' },
    replaces: {},
  })
})

it('what was typed or was there before is replaced by nothing unasked', () => {
  const typed = {
    ...empty,
    title: 'Mine',
    article: '<p>Old</p>',
    duration: '90',
    link: 'https://example.org',
  }
  expect(importedFields(found, typed)).toEqual({
    fills: { description: 'Its words.' },
    replaces: { title: 'From the file', article: '<p>New</p>', duration: '' },
  })
})

it('what is the same already is no question', () => {
  const same = { ...empty, title: 'From the file', description: 'Its words.', article: '<p>New</p>' }
  expect(importedFields(found, same)).toEqual({ fills: { link: 'word/a.docx' }, replaces: {} })
})

it('a file without a title leaves the title alone', () => {
  const { fills, replaces } = importedFields({ html: '<p>New</p>', link: '' }, { ...empty, title: 'Mine' })
  expect({ ...fills, ...replaces }).toEqual({ article: '<p>New</p>' })
})
