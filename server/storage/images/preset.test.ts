import { describe, expect, it } from 'vitest'
import { presetName, TransformOptions, toPreset } from './preset.ts'

const name = (query: Record<string, string>, accept = '') =>
  presetName(toPreset(TransformOptions.parse(query), accept))

describe('presets', () => {
  it.each([
    [{}, '', 'x-cover-80.origin'],
    [{ width: '1' }, '', '160x-cover-80.origin'],
    [{ width: '320' }, 'image/avif,image/webp,*/*', '320x-cover-80.avif'],
    [{ width: '321', height: '100' }, 'image/webp', '480x160-cover-80.webp'],
    [{ width: '9999', quality: '20' }, '', '1600x-cover-50.origin'],
    [{ width: '320', height: '320', resize: 'fill' }, '', '320x320-fill-80.origin'],
    [{ width: '320', resize: 'contain' }, 'image/avif', '320x-cover-80.avif'],
    [{ width: '640', quality: '100', format: 'origin' }, 'image/avif', '640x-cover-80.origin'],
  ])('%j for a reader of %j is %s', (query, accept, expected) => {
    expect(name(query, accept)).toBe(expected)
  })

  it.each([
    { width: '0' },
    { width: '1e9' },
    { width: '-5' },
    { width: 'a' },
    { quality: '1' },
    { resize: 'x' },
    { format: 'gif' },
  ])('%j is no wish', (query) => {
    expect(TransformOptions.safeParse(query).success).toBe(false)
  })
})
