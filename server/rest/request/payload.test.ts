import { describe, expect, test } from 'vitest'
import { parsePayload } from './parse.ts'

const body = (text: string | Uint8Array, contentType = 'application/json') => ({
  contentType,
  bytes: typeof text === 'string' ? new TextEncoder().encode(text) : text,
})
const forTable = { forRoutine: false }
const forRoutine = { forRoutine: true }

describe('a body for a table', () => {
  test.each([
    ['{"a":1,"b":2}', { shape: 'object', keys: ['a', 'b'] }],
    [' [{"a":1},{"a":2}]', { shape: 'array', keys: ['a'] }],
    ['[]', { shape: 'array', keys: [] }],
    ['{}', { shape: 'object', keys: [] }],
    ['{"__proto__":1}', { shape: 'object', keys: ['__proto__'] }],
  ])('%s', (text, expected) =>
    expect(parsePayload(body(text), forTable)).toEqual({ kind: 'json', text, ...expected }),
  )

  test('is not looked into when the columns are named', () =>
    expect(parsePayload(body('[{"a":1},{"b":'), { columns: ['a', 'b'], forRoutine: false })).toMatchObject({
      shape: 'array',
      keys: ['a', 'b'],
    }))

  test('may be a form', () =>
    expect(parsePayload(body('a=1&b=x%20y', 'application/x-www-form-urlencoded'), forTable)).toMatchObject({
      text: '{"a":"1","b":"x y"}',
      keys: ['a', 'b'],
    }))

  test.each([
    ['', 'Empty or invalid json'],
    ['{"a":', 'Empty or invalid json'],
    ['5', 'All object keys must match'],
    ['null', 'All object keys must match'],
    ['[1]', 'All object keys must match'],
    ['[{"a":1},{"b":1}]', 'All object keys must match'],
    ['[{"a":1},{"a":1,"b":1}]', 'All object keys must match'],
    ['[{"a":1},[]]', 'All object keys must match'],
    ['['.repeat(101) + ']'.repeat(101), 'The JSON is nested more than 100 levels deep'],
  ])('%j is refused', (text, message) =>
    expect(() => parsePayload(body(text), forTable)).toThrow(
      expect.objectContaining({ status: 400, body: expect.objectContaining({ code: 'PGRST102', message }) }),
    ),
  )

  test('brackets inside texts are no nesting', () => {
    const text = JSON.stringify({ a: `${'['.repeat(500)}\\"${'{'.repeat(500)}`, b: '\\' })
    expect(parsePayload(body(text), forTable)).toMatchObject({ keys: ['a', 'b'] })
  })

  test('must be UTF-8', () =>
    expect(() => parsePayload(body(Uint8Array.of(0x22, 0xff, 0x22)), forTable)).toThrow(
      'The request body is not UTF-8',
    ))

  test.each([
    'text/plain',
    'text/csv',
    'application/octet-stream',
    'multipart/form-data; boundary=x',
    '__proto__',
  ])('may not be %s', (type) =>
    expect(() => parsePayload(body('{}', type), forTable)).toThrow(/^Content-Type not acceptable/),
  )
})

describe('a body for a function', () => {
  test.each([
    ['', { text: '{}', shape: 'object', keys: [] }],
    ['{"a":1}', { text: '{"a":1}', shape: 'object', keys: ['a'] }],
    ['[1,{"a":1}]', { text: '[1,{"a":1}]', shape: 'array', keys: [] }],
    ['"x"', { text: '"x"', shape: 'scalar', keys: [] }],
  ])('%j', (text, expected) =>
    expect(parsePayload(body(text), forRoutine)).toMatchObject({ kind: 'json', ...expected }),
  )

  test.each([
    ['text/plain', 'text', 'hi'],
    ['text/xml; charset=utf-8', 'xml', 'hi'],
    ['application/octet-stream', 'bytea', '\\x6869'],
  ])('may be %s as a whole', (contentType, type, text) =>
    expect(parsePayload(body('hi', contentType), forRoutine)).toEqual({ kind: 'raw', type, text }),
  )
})
