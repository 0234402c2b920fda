import { describe, expect, test } from 'vitest'
import { planOf, refused } from '#tests/support/rest-requests.ts'

const post = (more: Parameters<typeof planOf>[0]) => planOf({ method: 'POST', body: { name: 'x' }, ...more })

describe('an insert', () => {
  test('sets the columns of the body, or those that are named', () => {
    expect(post({})).toMatchObject({
      kind: 'insert',
      columns: [{ name: 'name' }],
      missing: 'null',
      returning: 'nothing',
    })
    expect(post({ path: '/things?columns=id,name', headers: { prefer: 'missing=default' } })).toMatchObject({
      columns: [{ name: 'id' }, { name: 'name' }],
      missing: 'default',
    })
  })

  test.each(['nope', 'shout', '__proto__'])('of the column %s is refused', (name) =>
    expect(() => post({ body: JSON.parse(`{"${name}":1}`) })).toThrow(
      refused(400, 'PGRST204', {
        message: `Could not find the '${name}' column of 'things' in the schema cache`,
      }),
    ),
  )

  test.each([
    ['/things', 'merge-duplicates', { columns: ['id'], resolution: 'merge' }],
    ['/things', 'ignore-duplicates', { columns: ['id'], resolution: 'ignore' }],
    ['/things?on_conflict=name,id', 'merge-duplicates', { columns: ['name', 'id'], resolution: 'merge' }],
    ['/some%20things', 'merge-duplicates', undefined],
    ['/things?on_conflict=name', 'none', undefined],
  ])('at %s with %s duplicates', (path, resolution, conflict) => {
    const plan = post({ path, headers: { prefer: `resolution=${resolution}` } })
    expect('conflict' in plan ? plan.conflict : undefined).toEqual(conflict)
  })

  test('cannot have its conflict in a column that is not there', () =>
    expect(() =>
      post({ path: '/things?on_conflict=nope', headers: { prefer: 'resolution=merge-duplicates' } }),
    ).toThrow(refused(400, '42703')))

  test.each([
    ['return=representation', 'rows', false],
    ['return=headers-only', 'location', true],
    ['return=minimal', 'nothing', true],
    ['', 'nothing', true],
  ])('with %j returns: %s', (prefer, returning, empty) =>
    expect(post({ headers: { prefer } })).toMatchObject({ returning, answer: { empty } }),
  )

  test('needs JSON', () =>
    expect(() => post({ headers: { 'content-type': 'text/plain' } })).toThrow(refused(400, 'PGRST102')))
})

describe('a replacement', () => {
  const put = (path: string, body: unknown = { id: 1, name: 'x' }) => planOf({ method: 'PUT', path, body })

  test('inserts or updates the row that the address names', () =>
    expect(put('/things?id=eq.1')).toMatchObject({
      kind: 'insert',
      conflict: { columns: ['id'], resolution: 'merge' },
      matching: [{ kind: 'test' }],
      checks: { replacesOne: true },
    }))

  test.each([
    '/things',
    '/things?name=eq.x',
    '/things?id=eq.1&name=eq.x',
    '/things?id=gt.1',
    '/things?id=not.eq.1',
    '/things?id=eq(any).{1}',
    '/things?or=(id.eq.1)',
    '/some%20things?id=eq.1',
  ])('%s does not name one row', (path) => expect(() => put(path)).toThrow(refused(405, 'PGRST105')))

  test('cannot be limited', () =>
    expect(() => put('/things?id=eq.1&limit=1')).toThrow(refused(400, 'PGRST114')))

  test('has its key in the body', () =>
    expect(() => put('/things?id=eq.1', { name: 'x' })).toThrow(refused(400, 'PGRST115')))
})

describe('a limit on changed rows', () => {
  test.each([
    ['handling=strict,max-affected=3', 3],
    ['handling=lenient,max-affected=3', undefined],
    ['max-affected=3', undefined],
  ])('%s', (prefer, expected) => {
    const { checks } = planOf({ method: 'DELETE', path: '/things?id=gt.1', headers: { prefer } })
    expect(checks.maxAffected).toBe(expected)
  })
})
