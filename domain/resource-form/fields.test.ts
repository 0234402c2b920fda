import { describe, expect, it, test } from 'vitest'
import { decodeArticle, encodeArticle } from '#domain/article/encoding.ts'
import {
  changedFields,
  changedRow,
  creatableCategories,
  defaultFields,
  fieldsOf,
  findProblems,
  gradeProblem,
  isCreatable,
  missingParts,
  newRow,
  placeholderImage,
  type ResourceFields,
  secondsOf,
} from './fields.ts'

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

const reading: ResourceFields = {
  ...defaultFields('reading', '2026-11-20'),
  title: 'Sleep',
  description: 'Why it matters.',
}
const podcast: ResourceFields = {
  ...reading,
  category: 'podcast',
  image_url: '',
  audioUrl: '/storage/v1/a.mp3',
}

test.each<[string, Partial<ResourceFields>, object]>([
  ['nothing is wrong with a filled form', {}, {}],
  ['a title of spaces is none', { title: '  ' }, { title: 'Please enter a title.' }],
  ['a description is needed', { description: '\n' }, { description: 'Please enter a description.' }],
  [
    'a title has its limit',
    { title: 'x'.repeat(301) },
    { title: 'A title may have 300 characters at most; this has 301.' },
  ],
  ['an emoji is one character, as the database counts', { title: '😴'.repeat(300) }, {}],
  [
    'a description has its limit',
    { description: 'x'.repeat(2001) },
    { description: 'A description may have 2000 characters at most; this has 2001.' },
  ],
  ['a reading needs a picture', { image_url: ' ' }, { image_url: 'Please choose a picture.' }],
  [
    'an address is one of the web',
    { image_url: 'my holiday.jpg' },
    { image_url: 'Please enter an address that begins with https://' },
  ],
  [
    'an address runs no script',
    { image_url: 'javascript:alert(1)' },
    { image_url: 'Please enter an address that begins with https://' },
  ],
  [
    'an address names its own host',
    { image_url: '//elsewhere.example/a.png' },
    { image_url: 'Please enter an address that begins with https://' },
  ],
  ['the site’s own pictures have no origin', { image_url: '/storage/v1/object/public/images/a.png' }, {}],
  ['a date must exist', { date: '2026-02-30' }, { date: 'Please enter a date.' }],
  ['a date is needed', { date: '' }, { date: 'Please enter a date.' }],
  ['a duration of 0 is a duration', { duration: '0' }, {}],
  ['a duration is typed with spaces around', { duration: ' 90 ' }, {}],
  ...['1.5', '-1', 'two', '1e3', '99999999999'].map((duration): [string, Partial<ResourceFields>, object] => [
    `a duration of ${duration} is refused`,
    { duration },
    { duration: 'Please enter a whole number of seconds, 0 or more.' },
  ]),
])('%s', (_, change, problems) => expect(findProblems({ ...reading, ...change })).toEqual(problems))

describe('a podcast', () => {
  it('needs a recording but no picture', () => {
    expect(findProblems(podcast)).toEqual({})
    expect(findProblems({ ...podcast, audioUrl: '' })).toEqual({ audioUrl: 'Please choose a recording.' })
  })
})

test.each([
  ['6', "Grade must be in range format (e.g., K-12, 6-8, 1-3). Use 'K' for Kindergarten or numbers 1-12."],
  ['13-14', 'Starting grade must be K or a number from 1 to 12.'],
  ['6-13', 'Ending grade must be K or a number from 1 to 12.'],
  ['8-6', 'Starting grade must be less than or equal to ending grade (K comes before all numbers).'],
  ['', undefined],
  ['k-5', undefined],
])('the grade %j says %j', (grade, message) => {
  expect(gradeProblem(grade)).toBe(message)
  expect(findProblems({ ...reading, grade }).grade).toBe(message)
})

describe('the submit button waits', () => {
  it.each<[string, ResourceFields, string[]]>([
    ['for nothing', reading, []],
    ['for a title', { ...reading, title: ' ' }, ['a title']],
    ['for a description', { ...reading, description: '' }, ['a description']],
    ['for a grade that is one', { ...reading, grade: '8-6' }, ['a grade that can be read']],
    ['for the picture of a reading', { ...reading, image_url: '' }, ['a picture']],
    ['for the recording of a podcast', { ...podcast, audioUrl: '' }, ['a recording']],
    ['for no picture of a podcast', podcast, []],
    ['for no picture of anything else', { ...reading, category: 'webinar', image_url: '' }, []],
    ['for nothing that is only wrong', { ...reading, duration: 'two', date: '' }, []],
  ])('%s', (_, fields, missing) => expect(missingParts(fields)).toEqual(missing))
})

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
