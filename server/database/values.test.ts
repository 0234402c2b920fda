import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDatabase } from '#tests/support/databases.ts'
import type { Database, Value } from './port.ts'

describe('values', () => {
  let db: Database
  beforeAll(async () => {
    db = await openTestDatabase()
  })
  afterAll(() => db.close())

  const read = async (expression: string, ...values: Value[]) => {
    const { rows } = await db.asOwner('test', (tx) => tx.query(`select ${expression} as value`, values))
    return rows[0]?.value
  }

  describe('a parameter', () => {
    it.each<[type: string, given: Value, text: string | null]>([
      ['text', 'plain', 'plain'],
      ['text', '', ''],
      ['text', `quotes ' " \\ $1 ; --`, `quotes ' " \\ $1 ; --`],
      ['text', 'Ünïcode 漢字 👩‍👧‍👦 \u{10FFFF}', 'Ünïcode 漢字 👩‍👧‍👦 \u{10FFFF}'],
      ['text', 42, '42'],
      ['text', true, 'true'],
      ['text', null, null],
      ['int', 42, '42'],
      ['int', '42', '42'],
      ['int', -0, '0'],
      ['int', null, null],
      ['bigint', '9223372036854775807', '9223372036854775807'],
      ['double precision', 1.5e300, '1.5e+300'],
      ['numeric', '0.10', '0.10'],
      ['boolean', true, 'true'],
      ['boolean', false, 'false'],
      ['boolean', 'true', 'true'],
      ['boolean', 'f', 'false'],
      ['boolean', null, null],
      ['date', '2026-02-28', '2026-02-28'],
      ['timestamptz', '2026-02-28T12:00:00.123456+02:00', '2026-02-28 10:00:00.123456+00'],
      ['uuid', '00000000-0000-4000-8000-00000000000A', '00000000-0000-4000-8000-00000000000a'],
      ['json', '{"a": [1, "x"]}', '{"a": [1, "x"]}'],
      ['json', '"just text"', '"just text"'],
      ['jsonb', '{"b":1,"a":null}', '{"a": null, "b": 1}'],
      ['text[]', '{a,"b,c",NULL,""}', '{a,"b,c",NULL,""}'],
      ['uuid[]', '{}', '{}'],
      ['int4range', '[1,5)', '[1,5)'],
      ['bytea', '\\x00ff', '\\x00ff'],
    ])('of type %s given as %j arrives as %j', async (type, given, text) => {
      expect(await read(`$1::${type}::text`, given)).toBe(text)
    })

    it('takes its type from the column that it is compared with or written to', async () => {
      const found = await db.asOwner('test', async (tx) => {
        await tx.script('create table public.kinds (yes boolean, tags text[], doc jsonb, day date, n int)')
        await tx.query('insert into public.kinds values ($1, $2, $3, $4, $5)', [
          'on',
          '{x}',
          '[1]',
          '2026-01-01',
          '7',
        ])
        const where = 'yes = $1 and tags @> $2 and doc = $3 and day > $4 and n = $5'
        const { rows } = await tx.query(`select 1 as hit from public.kinds where ${where}`, [
          true,
          '{x}',
          '[1]',
          '2025-12-31',
          7,
        ])
        return rows
      })
      expect(found).toEqual([{ hit: 1 }])
    })

    it('may be large: 8 MB of text come back as they went', async () => {
      const large = 'ä'.repeat(4 * 1024 * 1024)
      expect((await read('$1::text', large)) === large).toBe(true)
    })

    it.each<[type: string, given: Value, code: string]>([
      ['text', 'nul\0byte', '22021'],
      ['int', 'seven', '22P02'],
      ['int', '2147483648', '22003'],
      ['boolean', 'maybe', '22P02'],
      ['date', '2026-02-30', '22008'],
      ['uuid', 'x', '22P02'],
      ['json', '{', '22P02'],
      ['text[]', 'a,b', '22P02'],
    ])('of type %s given as %j is refused with %s', async (type, given, code) => {
      await expect(read(`$1::${type}`, given)).rejects.toMatchObject({ name: 'SqlError', code })
    })
  })

  it('NUL in the claims or settings of a caller is refused as well', async () => {
    const asked = db.asCaller({ role: 'anon', claims: {} }, (tx) => tx.query('select 1'), {
      settings: { 'request.path': '/a\0b' },
    })
    await expect(asked).rejects.toMatchObject({ name: 'SqlError', code: '22021' })
  })

  describe('a result', () => {
    it.each<[expression: string, value: unknown]>([
      ["'text'", 'text'],
      ['7::int2', 7],
      ['-7::int4', -7],
      ['7::int8', 7],
      ['count(*)', 1],
      ['9007199254740991::int8', Number.MAX_SAFE_INTEGER],
      ['1.5::float8', 1.5],
      ['1.50::numeric', '1.50'],
      ['true', true],
      ['false', false],
      ['null', null],
      ['null::text[]', null],
      [`'{"a":[1,null]}'::json`, { a: [1, null] }],
      [`'"x"'::jsonb`, 'x'],
      ["'null'::jsonb", null],
      ["date '2026-03-29'", '2026-03-29'],
      ["timestamptz '2026-03-29 03:30:00.000001+02'", '2026-03-29 01:30:00.000001+00'],
      ["timestamp '2026-03-29 02:30:00'", '2026-03-29 02:30:00'],
      ["time '10:00'", '10:00:00'],
      ["interval '1 day 2 hours'", '1 day 02:00:00'],
      ["'00000000-0000-4000-8000-00000000000A'::uuid", '00000000-0000-4000-8000-00000000000a'],
      [`'{a,NULL,"b,c","NULL",""}'::text[]`, ['a', null, 'b,c', 'NULL', '']],
      ["'{{a,b},{c,d}}'::text[]", [['a', 'b'], ['c', 'd']]], // biome-ignore format: a matrix
      ["'{}'::uuid[]", []],
      ["'{1,NULL}'::int4[]", [1, null]],
      ["'{1}'::int8[]", [1]],
      ["'{t,f}'::bool[]", [true, false]],
      ["'{1.50}'::numeric[]", ['1.50']],
      ["'{2026-01-01}'::date[]", ['2026-01-01']],
      [`array['{"a":1}'::jsonb]`, [{ a: 1 }]],
      ["'\\x00ff'::bytea", '\\x00ff'],
      ["'[1,5)'::int4range", '[1,5)'],
    ])('of %s is read as %j', async (expression, value) => {
      expect(await read(expression)).toEqual(value)
    })

    it('keeps the names of its columns, and the last of two with the same name', async () => {
      const { rows } = await db.asOwner('test', (tx) => tx.query('select 1 as "audioUrl", 2 as a, 3 as a'))
      expect(rows).toEqual([{ audioUrl: 1, a: 3 }])
    })

    it('of a column called __proto__ is only a column', async () => {
      const { rows } = await db.asOwner('test', (tx) =>
        tx.query(`select '{"hit":true}'::json as "__proto__"`),
      )
      expect(({} as { hit?: boolean }).hit).toBeUndefined()
      expect(rows).toHaveLength(1)
    })
  })
})
