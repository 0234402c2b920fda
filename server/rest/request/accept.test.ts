import { describe, expect, test } from 'vitest'
import { parseAccept } from './headers.ts'

const list = { kind: 'array', stripped: false }

describe('parseAccept', () => {
  test.each([
    [undefined, list],
    ['*/*', list],
    ['application/json', list],
    ['application/json; charset=utf-8', list],
    ['application/vnd.pgrst.object+json', { kind: 'object', stripped: false }],
    ['application/vnd.pgrst.object', { kind: 'object', stripped: false }],
    ['application/vnd.pgrst.object+json;nulls=stripped', { kind: 'object', stripped: true }],
    ['application/vnd.pgrst.array+json; nulls=stripped', { kind: 'array', stripped: true }],
    ['text/csv', { kind: 'csv' }],
    ['TEXT/CSV', { kind: 'csv' }],
    ['text/plain', { kind: 'text' }],
    ['application/octet-stream', { kind: 'binary' }],
    ['application/vnd.pgrst.plan', { kind: 'plan', format: 'text', options: [], of: list }],
    [
      'application/vnd.pgrst.plan+json; for="application/vnd.pgrst.object+json;nulls=stripped"; options=analyze|wal|nonsense;',
      { kind: 'plan', format: 'json', options: ['analyze', 'wal'], of: { kind: 'object', stripped: true } },
    ],
  ])('%s', (header, media) => expect(parseAccept(header)[0]?.media).toEqual(media))

  test('the best quality comes first, and none at all is none', () =>
    expect(
      parseAccept('text/csv;q=0.5, application/json;q=0.9, text/plain;q=0').map(({ type }) => type),
    ).toEqual(['application/json', 'text/csv']))

  test.each([['application/geo+json'], ['image/png;x="a,b"'], ['nonsense'], ['']])(
    '%j is unknown',
    (header) => expect(parseAccept(header).every(({ media }) => media === undefined)).toBe(true),
  )
})
