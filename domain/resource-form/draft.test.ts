import { describe, expect, it } from 'vitest'
import { readDraft } from './draft.ts'
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
