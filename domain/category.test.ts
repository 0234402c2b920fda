import { describe, expect, it } from 'vitest'
import { categories, categoryLabels, isCategory, listingTexts, navigation } from './resource.ts'

describe('categories', () => {
  it('are the five of the specification', () => {
    expect(categories).toEqual(['reading', 'webinar', 'podcast', 'community', 'session'])
  })

  it.each(['reading', 'session'])('knows %s', (text) => expect(isCategory(text)).toBe(true))

  it.each(['Reading', 'all', '', 'constructor', null, undefined, 1])('does not take %j for one', (text) => {
    expect(isCategory(text)).toBe(false)
  })
})

describe('labels', () => {
  it('name one resource on a card', () => {
    expect(Object.values(categoryLabels)).toEqual([
      'Reading',
      'Webinar',
      'Podcast',
      'Community',
      '1:1 Session',
    ])
  })

  it('name the links of the header in its order', () => {
    expect(navigation.map(({ category, label }) => [category, label])).toEqual([
      ['reading', 'Reading'],
      ['podcast', 'Podcasts'],
      ['webinar', 'Webinars'],
      ['community', 'Community'],
      ['session', '1:1 Sessions'],
    ])
  })

  it('title each listing', () => {
    expect(Object.entries(listingTexts).map(([category, { title }]) => [category, title])).toEqual([
      ['all', 'All Resources'],
      ['reading', 'Reading Resources'],
      ['webinar', 'Webinars'],
      ['podcast', 'Podcasts'],
      ['community', 'Community Groups'],
      ['session', 'One-on-One Sessions'],
    ])
  })

  it('say what each listing holds in one sentence', () => {
    for (const { blurb } of Object.values(listingTexts)) expect(blurb).toMatch(/^[A-Z][^.]{30,110}\.$/)
  })
})
