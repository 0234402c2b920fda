import { describe, expect, test } from 'vitest'
import { parseOrder } from './query.ts'

const by = (name: string, more = {}) => ({ field: { name, path: [] }, descending: false, ...more })

describe('parseOrder', () => {
  test.each([
    ['a', [by('a')]],
    ['a.asc', [by('a')]],
    ['a.desc,b', [by('a', { descending: true }), by('b')]],
    ['a.nullsfirst', [by('a', { nulls: 'first' })]],
    ['a.desc.nullslast', [by('a', { descending: true, nulls: 'last' })]],
    [' a , b.desc ', [by('a'), by('b', { descending: true })]],
    ['rel(a).desc', [by('a', { relation: 'rel', descending: true })]],
    ['d->a.desc', [{ field: { name: 'd', path: [{ gives: 'json', at: 'a' }] }, descending: true }]],
    ['d->>0.asc', [{ field: { name: 'd', path: [{ gives: 'text', at: 0 }] }, descending: false }]],
  ])('%j', (text, expected) => expect(parseOrder(text)).toEqual(expected))

  test.each([
    ['', 'field name'],
    ['a,', 'field name'],
    ['a.up', '"asc", "desc", "nullsfirst" or "nullslast"'],
    ['a.descc', '"asc", "desc", "nullsfirst" or "nullslast"'],
    ['a.asc.nulls', '"nullsfirst" or "nullslast"'],
    ['a.nullslast.asc', '"asc", "desc", "nullsfirst" or "nullslast"'],
    ['rel(a,b)', '")"'],
  ])('%j is refused: expecting %s', (text, expecting) =>
    expect(() => parseOrder(text)).toThrow(
      expect.objectContaining({
        body: expect.objectContaining({ details: expect.stringContaining(expecting) }),
      }),
    ),
  )
})
