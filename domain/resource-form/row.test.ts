import { describe, expect, it } from 'vitest'
import { decodeArticle } from '#domain/article/encoding.ts'
import { defaultFields } from './fields.ts'
import { changedRow, newRow } from './row.ts'

const id = '0d0d4a4e-4d0c-4f5e-9df3-1f6a3d7b9a10'
const typed = {
  ...defaultFields('reading', '2026-01-15'),
  title: '  Sleep ',
  description: ' Why it matters. ',
  grade: '',
  article: '<p>Schlaf 😴</p>',
}

describe('the row of a new resource', () => {
  const row = newRow(id, typed)

  it('has the id that the browser made, and the form’s fields', () => {
    expect(row).toMatchObject({ id, title: 'Sleep', description: 'Why it matters.', category: 'reading' })
  })
  it('has K-12 where no grade was typed', () => expect(row.grade).toBe('K-12'))
  it('has nothing where nothing was typed', () => {
    expect(row).toMatchObject({ link: null, location: null, image_alt: null, audioUrl: null })
    expect(newRow(id, { ...typed, article: ' ' }).article_content).toBeNull()
  })
  it('keeps the date that was chosen', () => expect(row.date).toBe('2026-01-15'))
  it('has the article in base64 that survives any character', () => {
    expect(decodeArticle(row.article_content)).toEqual({ state: 'html', html: '<p>Schlaf 😴</p>' })
  })
})

describe('the change of a resource', () => {
  const change = changedRow({ ...typed, title: 'Rest' }, typed, '2026-11-20')

  it('sets the date to today', () => expect(change.date).toBe('2026-11-20'))
  it('has no id', () => expect(change).not.toHaveProperty('id'))
  it('leaves out a body that was not touched', () => {
    expect(change.title).toBe('Rest')
    expect(change).not.toHaveProperty('article_content')
  })
  it('clears a body that was cleared', () => {
    expect(changedRow({ ...typed, article: '' }, typed, '2026-11-20').article_content).toBeNull()
  })
  it('sends the body where it is not known what was stored', () => {
    expect(changedRow(typed, null, '2026-11-20')).toHaveProperty('article_content')
  })
})
