import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openTestDatabase } from '#tests/support/databases.ts'
import { openRest, type RestUnderTest } from '#tests/support/rest.ts'

describe('the schema cache', () => {
  let rest: RestUnderTest
  let readings = 0
  beforeAll(async () => {
    rest = await openRest(async () => {
      const db = await openTestDatabase()
      const counting: typeof db.asOwner = (reason, work) => {
        if (reason.includes('schema cache')) readings += 1
        return db.asOwner(reason, work)
      }
      return { ...db, asOwner: counting }
    })
  })
  afterAll(() => rest.close())
  const statusOf = async (path: string) => (await rest.send(path)).status

  test('is read once for all the first requests', async () => {
    const statuses = await Promise.all(Array.from({ length: 10 }, () => statusOf('/things?limit=1')))
    expect(statuses).toEqual(Array(10).fill(200))
    expect(readings).toBe(1)
  })

  test('is read again when a migration says so', async () => {
    expect(await statusOf('/newcomers')).toBe(404)
    await rest.sql(`create table public.newcomers (id integer); grant select on public.newcomers to anon;`)
    expect(await statusOf('/newcomers')).toBe(404)
    await rest.sql(`notify pgrst, 'reload config'`)
    await rest.sql(`notify pgrst, 'reload schema'`)
    await vi.waitFor(async () => expect(await statusOf('/newcomers')).toBe(200))
    expect(readings).toBe(2)
  })

  test('knows nothing outside the exposed schemas', async () => {
    for (const name of ['pg_class', 'schema_migrations', 'objects', 'auth.users', 'public.things']) {
      expect(await statusOf(`/${name}`)).toBe(404)
    }
    expect((await rest.send('/users', { headers: { 'accept-profile': 'auth' } })).status).toBe(406)
  })

  test('names that look like SQL are only names', async () => {
    await rest.sql(`create table public."a""; drop table things; --" ("x""y" integer); notify pgrst;
      insert into public."a""; drop table things; --" values (5); grant select on public."a""; drop table things; --" to anon`)
    const path = `/${encodeURIComponent('a"; drop table things; --')}?select=${encodeURIComponent('"x\\"y"')}`
    await vi.waitFor(async () => expect(await (await rest.send(path)).json()).toEqual([{ 'x"y': 5 }]))
  })
})
