import { describe, expect, test } from 'vitest'
import { SqlError } from '#server/database/port.ts'
import { fromSqlError } from './error-response.ts'

const sqlError = (code: string, more: { message?: string; detail?: string; hint?: string } = {}) =>
  new SqlError({ message: 'said', code, ...more })

describe('SQLSTATE → status', () => {
  test.each([
    ['23505', 409],
    ['23503', 409],
    ['23502', 400],
    ['23514', 400],
    ['22P02', 400],
    ['22021', 400],
    ['42703', 400],
    ['42883', 404],
    ['42P01', 404],
    ['42P17', 500],
    ['25006', 405],
    ['25001', 500],
    ['21000', 500],
    ['28000', 403],
    ['0LP01', 403],
    ['0P000', 403],
    ['08006', 503],
    ['53300', 503],
    ['53400', 500],
    ['57P01', 503],
    ['57014', 500],
    ['40001', 500],
    ['54001', 500],
    ['XX000', 500],
    ['P0001', 400],
    ['P0002', 500],
    ['PT402', 402],
    ['PT999', 500],
    ['PTxyz', 500],
    ['HV000', 500],
  ])('%s → %i', (code, status) =>
    expect(fromSqlError(sqlError(code), { signedIn: true }).status).toBe(status),
  )

  test('a visitor who may not hears that signing in could help', () => {
    const refusal = fromSqlError(sqlError('42501'), { signedIn: false })
    expect(refusal.status).toBe(401)
    expect(refusal.headers).toEqual([['WWW-Authenticate', 'Bearer']])
    expect(fromSqlError(sqlError('42501'), { signedIn: true })).toMatchObject({ status: 403, headers: [] })
  })

  test('the words are the database’s', () =>
    expect(fromSqlError(sqlError('23505', { detail: 'd', hint: 'h' }), { signedIn: true }).body).toEqual({
      code: '23505',
      message: 'said',
      details: 'd',
      hint: 'h',
    }))
})

describe("raise sqlstate 'PGRST'", () => {
  const message = '{"code":"123","message":"ABC","details":"DEF"}'

  test('writes the whole answer', () => {
    const detail = '{"status":332,"status_text":"My Custom Status","headers":{"X-A":"b"}}'
    expect(fromSqlError(sqlError('PGRST', { message, detail }), { signedIn: true })).toMatchObject({
      status: 332,
      body: { code: '123', message: 'ABC', details: 'DEF', hint: null },
      headers: [['X-A', 'b']],
    })
  })

  test.each([
    [{ message: 'no' }, "Invalid JSON value for MESSAGE: 'no'"],
    [{ message: '{"code":"1"}' }, `Invalid JSON value for MESSAGE: '{"code":"1"}'`],
    [{ message }, 'DETAIL is missing in the RAISE statement'],
    [{ message, detail: '{}' }, "Invalid JSON value for DETAIL: '{}'"],
    [
      { message, detail: '{"status":99,"headers":{}}' },
      `Invalid JSON value for DETAIL: '{"status":99,"headers":{}}'`,
    ],
  ])('%j cannot be read', (given, details) =>
    expect(fromSqlError(sqlError('PGRST', given), { signedIn: true })).toMatchObject({
      status: 500,
      body: { code: 'PGRST121', details },
    }),
  )
})
