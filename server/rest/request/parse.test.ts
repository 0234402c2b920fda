import { describe, expect, test } from 'vitest'
import { parseRequest, type RawRequest } from './parse.ts'

const raw = (more: Partial<RawRequest> = {}): RawRequest => ({
  method: 'GET',
  target: { kind: 'relation', name: 'things' },
  search: '',
  headers: {},
  body: new TextEncoder().encode('{"a":1}'),
  ...more,
})
const routine = { kind: 'routine', name: 'add' } as const
const schemas = ['public', 'other']

describe('parseRequest', () => {
  test.each([
    ['GET', 'read'],
    ['HEAD', 'read'],
    ['POST', 'insert'],
    ['PUT', 'replace'],
    ['PATCH', 'update'],
    ['DELETE', 'delete'],
  ])('%s of a table is: %s', (method, kind) =>
    expect(parseRequest(raw({ method }), schemas)).toMatchObject({
      action: { kind, relation: 'things' },
      head: method === 'HEAD',
    }),
  )

  test.each([
    ['GET', 'query'],
    ['HEAD', 'query'],
    ['POST', 'body'],
  ])('%s of a function has its arguments in the %s', (method, by) =>
    expect(parseRequest(raw({ method, target: routine }), schemas).action).toMatchObject({
      kind: 'call',
      by,
    }),
  )

  test.each([
    ['QUERY', raw().target, 405, 'PGRST117'],
    ['constructor', raw().target, 405, 'PGRST117'],
    ['PATCH', routine, 405, 'PGRST101'],
  ])('%s of %j is %i', (method, target, status, code) =>
    expect(() => parseRequest(raw({ method, target }), schemas)).toThrow(
      expect.objectContaining({ status, body: expect.objectContaining({ code }) }),
    ),
  )

  test.each([
    ['GET', 'accept-profile'],
    ['HEAD', 'accept-profile'],
    ['POST', 'content-profile'],
    ['DELETE', 'content-profile'],
  ])('%s names its schema in %s', (method, header) =>
    expect(parseRequest(raw({ method, headers: { [header]: 'other' } }), schemas)).toMatchObject({
      schema: 'other',
      schemaChosen: true,
    }),
  )

  test('the first schema is the usual one', () => {
    expect(parseRequest(raw(), ['public'])).toMatchObject({ schema: 'public', schemaChosen: false })
    expect(parseRequest(raw(), schemas)).toMatchObject({ schema: 'public', schemaChosen: true })
  })

  test('a schema that is not exposed is 406', () =>
    expect(() => parseRequest(raw({ headers: { 'accept-profile': 'auth' } }), schemas)).toThrow(
      expect.objectContaining({
        status: 406,
        body: expect.objectContaining({ hint: 'Only the following schemas are exposed: public, other' }),
      }),
    ))

  test('of two limits the last counts, and the Range header only for GET', () => {
    const headers = { range: '0-1' }
    const search = '?limit=9&limit=5&offset=1&rel.limit=3'
    expect(parseRequest(raw({ search, headers }), schemas).window).toEqual({ limit: 1, offset: 1 })
    expect(parseRequest(raw({ search, headers, method: 'HEAD' }), schemas).window).toEqual({
      limit: 5,
      offset: 1,
    })
  })
})
