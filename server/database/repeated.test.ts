import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, visitor } from '#server/tokens/caller.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import type { Database } from './port.ts'

const member: Caller = {
  role: 'authenticated',
  claims: { role: 'authenticated', sub: '00000000-0000-4000-8000-000000000001' },
}

describe('a statement that is asked again and again', () => {
  let db: Database
  beforeAll(async () => {
    db = await openTestDatabase()
    await db.asOwner('test', (tx) =>
      tx.script(`insert into public.resources (title, description, category, public)
        values ('kept open', 'd', 'reading', true), ('kept private', 'd', 'reading', false)`),
    )
  })
  afterAll(() => db.close())

  const titles = `select coalesce(json_agg(title order by title), '[]')::text as titles from public.resources where title like $1`
  const ask = async (caller: Caller, like: string) => {
    const { rows } = await db.asCaller(caller, (tx) => tx.query(titles, [like], { repeated: true }))
    return rows[0]?.titles
  }

  it('is judged anew for everybody who asks', async () => {
    for (let round = 0; round < 8; round++) {
      expect(await ask(visitor, 'kept%')).toBe('["kept open"]')
      expect(await ask(member, 'kept%')).toBe('["kept open", "kept private"]')
      expect(await ask(visitor, 'nothing')).toBe('[]')
    }
  })

  it('can fail, and be asked again', async () => {
    const divide = 'select 8 / $1::int as part'
    const part = (by: number) =>
      db.asOwner('test', (tx) => tx.query(divide, [by], { repeated: true })).then(({ rows }) => rows)
    for (let round = 0; round < 3; round++) {
      await expect(part(0)).rejects.toMatchObject({ code: '22012' })
      expect(await part(2)).toEqual([{ part: 4 }])
    }
  })

  it('follows a change of its table', async () => {
    const column = (change: string) =>
      db.asOwner('test', (tx) => tx.script(`alter table public.resources ${change}`))
    await column('add column kept_note text')
    const noted = 'select count(kept_note)::int as n from public.resources'
    const n = () => db.asOwner('test', (tx) => tx.query(noted, [], { repeated: true }))
    expect((await n()).rows).toEqual([{ n: 0 }])
    await column('drop column kept_note')
    await expect(n()).rejects.toMatchObject({ code: '42703' })
    await column('add column kept_note int')
    expect((await n()).rows).toEqual([{ n: 0 }])
    await column('drop column kept_note')
  })

  it('and many others at once get each their own answer', async () => {
    const numbers = Array.from({ length: 150 }, (_, n) => n)
    const answers = await db.asOwner('test', (tx) =>
      Promise.all(numbers.map((n) => tx.query(`select ${n} as n`, [], { repeated: true }))),
    )
    expect(answers.map(({ rows }) => rows[0])).toEqual(numbers.map((n) => ({ n })))
  })
})
