import { describe, expect, it, test } from 'vitest'
import { defaultFields, type ResourceFields } from './fields.ts'
import { findProblems, gradeProblem, missingParts } from './problems.ts'

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
