import { expect, it } from 'vitest'
import { defaultFields } from './fields.ts'
import { importedFields } from './imported.ts'

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
