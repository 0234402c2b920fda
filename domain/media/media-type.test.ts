import { describe, expect, it } from 'vitest'
import { detectType, fitsLabel, isAllowed } from './media-type.ts'

describe('isAllowed', () => {
  it.each([
    ['image/png', ['image/*'], true],
    ['IMAGE/PNG; q=1', ['image/*'], true],
    ['image/png', ['image/png'], true],
    ['image/png', ['audio/*', 'video/mp4'], false],
    ['imagex/png', ['image/*'], false],
    ['text/plain', ['*'], true],
    ['text/plain', ['*/*'], true],
    ['text/plain', [], false],
    ['text/plain', null, true],
  ])('%s among %j: %s', (type, patterns, expected) => {
    expect(isAllowed(type, patterns)).toBe(expected)
  })
})

describe('fitsLabel', () => {
  const audio = ['audio/*', 'video/mp4']
  it.each([
    ['image/png', 'image/png', null, true],
    ['image/png', undefined, null, false],
    ['image/png', 'image/jpeg', ['image/*'], true],
    ['image/png', 'image/jpeg', ['image/png'], false],
    ['image/png', 'image/svg+xml', ['image/*'], false],
    ['image/svg+xml', 'image/png', ['image/*'], false],
    ['image/svg+xml', 'image/svg+xml', ['image/*'], true],
    ['image/unheard-of', undefined, ['image/*'], false],
    ['audio/mp4', 'video/mp4', audio, true],
    ['audio/x-m4a', 'audio/x-m4a', audio, true],
    ['audio/webm', 'video/webm', audio, true],
    ['audio/mpeg', 'video/mp4', audio, false],
    ['audio/ogg', 'audio/ogg; codecs=opus', audio, true],
    ['video/mp4', 'image/png', audio, false],
    ['application/pdf', 'application/pdf', null, true],
    ['application/pdf', undefined, null, false],
    ['application/pdf', 'image/png', null, false],
    [
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'application/zip',
      null,
      true,
    ],
    ['text/plain', undefined, ['text/plain'], true],
    ['text/plain', 'image/png', ['text/plain'], false],
    ['text/plain', 'image/png', null, true],
  ])('%s with the content of %s among %j: %s', (label, detected, patterns, expected) => {
    expect(fitsLabel(label, detected, patterns)).toBe(expected)
  })
})

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
