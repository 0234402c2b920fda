import { describe, expect, test } from 'vitest'
import { parameter, planOf, refused, routine } from '#tests/support/rest-requests.ts'
import type { Routine } from '../schema.ts'

const integer = (name: string, more = {}) => parameter(name, 'integer', more)
const add = routine('add', { parameters: [integer('a'), integer('b', { optional: true })] })
const greet = routine('greet')
const greetBy = routine('greet', { parameters: [parameter('name', 'text')] })
const takesJson = routine('take', { parameters: [parameter('', 'jsonb')] })
const takesText = routine('take', { parameters: [parameter('', 'text')] })
const rows = (many: boolean): Routine['returns'] => ({ kind: 'row', many, columns: new Map() })

const call = (path: string, routines: Routine[], body: unknown = {}, headers = {}) =>
  planOf({ method: 'POST', path, body, routines, headers })

describe('a function is chosen by the names of its arguments', () => {
  test.each([
    ['/rpc/add', { a: 1 }, add],
    ['/rpc/add', { b: 2, a: 1 }, add],
    ['/rpc/greet', {}, greet],
    ['/rpc/greet', { name: 'x' }, greetBy],
    ['/rpc/take', { any: 'thing' }, takesJson],
    ['/rpc/take', [1, 2], takesJson],
  ])('%s with %j', (path, body, expected) =>
    expect(call(path, [add, greet, greetBy, takesJson], body)).toMatchObject({
      kind: 'call',
      routine: expected,
    }),
  )

  test('one that fits by name comes before one that takes any body', () =>
    expect(
      call('/rpc/take', [takesJson, routine('take', { parameters: [integer('a')] })], { a: 1 }),
    ).toMatchObject({
      args: { kind: 'json', names: ['a'] },
    }))

  test('a text is for the one that takes texts', () =>
    expect(call('/rpc/take', [takesJson, takesText], 'x', { 'content-type': 'text/plain' })).toMatchObject({
      routine: takesText,
      args: { kind: 'whole', text: '"x"' },
    }))

  test.each([
    ['/rpc/add', {}, 'Could not find the function public.add without parameters in the schema cache'],
    ['/rpc/add', { a: 1, c: 2 }, 'Could not find the function public.add(a, c) in the schema cache'],
    ['/rpc/nope', { z: 1, y: 2 }, 'Could not find the function public.nope(y, z) in the schema cache'],
    [
      '/rpc/__proto__',
      {},
      'Could not find the function public.__proto__ without parameters in the schema cache',
    ],
  ])('%s with %j fits none', (path, body, message) =>
    expect(() => call(path, [add], body)).toThrow(refused(404, 'PGRST202', { message })),
  )

  test('a misspelling gets a hint', () => {
    expect(() => call('/rpc/ad', [add], { a: 1 })).toThrow(
      refused(404, 'PGRST202', { hint: 'Perhaps you meant to call the function public.add' }),
    )
    expect(() => call('/rpc/add', [add], { aa: 1 })).toThrow(
      refused(404, 'PGRST202', { hint: 'Perhaps you meant to call the function public.add(a, b)' }),
    )
  })

  test('two that fit are too many', () => {
    const same = [
      routine('f', { parameters: [integer('a')] }),
      routine('f', { parameters: [parameter('a', 'text')] }),
    ]
    expect(() => call('/rpc/f', same, { a: 1 })).toThrow(
      refused(300, 'PGRST203', {
        message:
          'Could not choose the best candidate function between: public.f(a => integer), public.f(a => text)',
      }),
    )
  })
})

describe('a call', () => {
  test.each([
    ['GET', 'volatile', true],
    ['HEAD', 'volatile', true],
    ['POST', 'volatile', false],
    ['POST', 'stable', true],
    ['POST', 'immutable', true],
  ] as const)('by %s of a %s function only reads: %s', (method, volatility, readOnly) =>
    expect(
      planOf({ method, path: '/rpc/greet', routines: [routine('greet', { volatility })] }),
    ).toMatchObject({ readOnly }),
  )

  test('by GET takes the last of several values, and all for a variadic argument', () => {
    const total = routine('total', {
      parameters: [parameter('n', 'integer[]', { variadic: true }), parameter('x', 'text')],
    })
    const plan = planOf({ path: '/rpc/total?n=1&x=a&n=2&x=b', routines: [total] })
    expect(plan).toMatchObject({
      args: {
        kind: 'direct',
        values: new Map<string, unknown>([
          ['n', ['1', '2']],
          ['x', 'b'],
        ]),
      },
    })
  })

  test('may limit the rows it changes only if it gives rows', () => {
    const strict = { prefer: 'handling=strict,max-affected=1' }
    expect(call('/rpc/f', [routine('f', { returns: rows(true) })], {}, strict).checks.maxAffected).toBe(1)
    for (const returns of [rows(false), { kind: 'void' }, greet.returns] as const) {
      expect(() => call('/rpc/f', [routine('f', { returns })], {}, strict)).toThrow(refused(400, 'PGRST128'))
    }
  })

  test.each([['text/plain'], ['application/octet-stream']])('of one value may answer %s', (accept) => {
    expect(call('/rpc/greet', [greet], {}, { accept }).kind).toBe('call')
    expect(() => call('/rpc/f', [routine('f', { returns: rows(true) })], {}, { accept })).toThrow(
      refused(406, 'PGRST107'),
    )
  })

  test('of one value has no columns to filter by', () =>
    expect(() => call('/rpc/greet?a=eq.1', [greet])).toThrow(refused(400, '42703')))
})
