import { describe, expect, it, test } from 'vitest'
import { encodeArticle } from '#domain/article/encoding.ts'
import {
  changedFields,
  creatableCategories,
  defaultFields,
  fieldsOf,
  isCreatable,
  placeholderImage,
  secondsOf,
} from './fields.ts'
import { newRow } from './row.ts'

const words = (count: number) => `<p>${'word '.repeat(count)}</p>`

describe('a new form', () => {
  it('offers reading and podcast only', () => expect(creatableCategories).toEqual(['reading', 'podcast']))

  it.each([
    ['reading', true],
    ['podcast', true],
    ['webinar', false],
    ['', false],
    [null, false],
  ])('can be of the category %j: %s', (category, expected) => expect(isCreatable(category)).toBe(expected))

  it('of a reading begins with the placeholder, K-12, and today', () => {
    expect(defaultFields('reading', '2026-11-20')).toEqual({
      title: '',
      description: '',
      category: 'reading',
      image_url: placeholderImage,
      image_alt: '',
      audioUrl: '',
      article: '',
      grade: 'K-12',
      gender: 'all',
      location: '',
      link: '',
      date: '2026-11-20',
      duration: '',
      public: true,
      featured: false,
    })
  })

  it('of a podcast begins without a picture', () => {
    expect(defaultFields('podcast', '2026-11-20')).toMatchObject({
      image_url: '',
      audioUrl: '',
      grade: 'K-12',
    })
  })
})

describe('the duration', () => {
  const reading = { ...defaultFields('reading', '2026-11-20'), article: words(450) }

  test.each([
    ['of a reading is estimated from its text', reading, 150],
    ['of a reading may be typed instead', { ...reading, duration: '600' }, 600],
    ['of a reading without a text is 0', { ...reading, article: '' }, 0],
    [
      'of a podcast is what was read or typed',
      { ...reading, category: 'podcast' as const, duration: ' 61 ' },
      61,
    ],
    ['of a podcast is 0 as long as it is not known', { ...reading, category: 'podcast' as const }, 0],
  ])('%s', (_, fields, seconds) => expect(secondsOf(fields)).toBe(seconds))
})

describe('a stored resource in the form', () => {
  const filled = {
    ...defaultFields('reading', '2026-01-15'),
    title: 'Sleep',
    description: 'Why it matters.',
    article: '<p>Schlaf 😴</p>',
    image_alt: 'A moon',
    location: 'Oakland',
    link: 'word/sleep.htm',
  }
  const stored = newRow('0d0d4a4e-4d0c-4f5e-9df3-1f6a3d7b9a10', filled)

  it('comes back as it was typed', () => expect(fieldsOf(stored)).toEqual(filled))

  it('shows what is not there as empty', () => {
    const bare = { ...stored, image_url: null, link: null, grade: null, gender: null, location: null }
    expect(fieldsOf(bare)).toMatchObject({ image_url: '', link: '', grade: '', gender: '', location: '' })
  })

  it('keeps a duration that somebody typed, and follows the text where it is the estimate', () => {
    expect(fieldsOf({ ...stored, duration: 30 }).duration).toBe('')
    expect(fieldsOf({ ...stored, duration: 45 }).duration).toBe('45')
  })

  it('leaves a body empty that cannot be read', () => {
    expect(fieldsOf({ ...stored, article_content: 'no base64!' }).article).toBe('')
    expect(fieldsOf({ ...stored, article_content: encodeArticle('  ') }).article).toBe('')
  })

  it('names the fields in which two forms differ', () => {
    expect(changedFields(filled, filled)).toEqual([])
    expect(changedFields(filled, { ...filled, public: false, title: 'Rest' })).toEqual(['title', 'public'])
  })
})
