import { describe, expect, it } from 'vitest'
import { readDraft, writeDraft } from './draft.ts'
import { defaultFields } from './fields.ts'

const now = Date.UTC(2026, 10, 20)
const day = 24 * 60 * 60 * 1000
const draft = {
  id: '0d0d4a4e-4d0c-4f5e-9df3-1f6a3d7b9a10',
  savedAt: now,
  basedOn: '2026-11-19T08:00:00.123456+00:00',
  fields: { ...defaultFields('reading', '2026-11-20'), title: 'Half a thou', article: '<p>ght</p>' },
}
const changed = (change: object) => JSON.stringify({ ...JSON.parse(writeDraft(draft)), ...change })

it('a draft is read as it was written', () => {
  expect(readDraft(writeDraft(draft), now)).toEqual({ ...draft, withoutArticle: false })
})

it('a very long article is left out, and that is said', () => {
  const long = { ...draft, fields: { ...draft.fields, article: 'x'.repeat(1_000_001) } }
  const read = readDraft(writeDraft(long), now)
  expect(read).toMatchObject({ withoutArticle: true, fields: { title: 'Half a thou', article: '' } })
})

it('a draft is kept for 30 days', () => {
  expect(readDraft(writeDraft(draft), now + 29 * day)).not.toBeNull()
  expect(readDraft(writeDraft(draft), now + 31 * day)).toBeNull()
})

describe('what is no draft is ignored', () => {
  it.each([
    ['nothing', null],
    ['no JSON', '{'],
    ['no object', '"draft"'],
    ['another version', changed({ version: 2 })],
    ['no id', changed({ id: 7 })],
    ['no time', changed({ savedAt: 'yesterday' })],
    ['no fields', changed({ fields: null })],
    ['an unknown category', changed({ fields: { ...draft.fields, category: 'news' } })],
    ['an unknown gender', changed({ fields: { ...draft.fields, gender: 'robot' } })],
    ['a field of another type', changed({ fields: { ...draft.fields, public: 'yes' } })],
    ['a field that is missing', changed({ fields: { category: 'reading', gender: '' } })],
  ])('%s', (_, stored) => expect(readDraft(stored, now)).toBeNull())
})

it('fields that nobody knows are dropped', () => {
  const read = readDraft(changed({ fields: { ...draft.fields, extra: '<script>' } }), now)
  expect(read?.fields).toEqual(draft.fields)
})
