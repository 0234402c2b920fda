import { describe, expect, it } from 'vitest'
import { detectType } from './detect-type.ts'

describe('detectType', () => {
  it.each([
    ['<svg/>', 'image/svg+xml'],
    [
      '\uFEFF<?xml version="1.0"?>\n<!DOCTYPE svg [<!ENTITY a "b">]>\n<!-- a --><!-- b -->\n<svg xmlns="x">',
      'image/svg+xml',
    ],
    ['<?xml version="1.0"?><rss/>', 'application/xml'],
    ['<html><svg></svg></html>', undefined],
    ['<svgish>', undefined],
    ['words', undefined],
  ])('%j is %s', async (text, expected) => {
    expect(await detectType(Buffer.from(text))).toBe(expected)
  })

  it('is not held up by a thousand comments that lead nowhere', async () => {
    const started = performance.now()
    expect(await detectType(Buffer.from('<!---->'.repeat(1000)))).toBeUndefined()
    expect(performance.now() - started).toBeLessThan(2000)
  })
})
