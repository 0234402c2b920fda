import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database, Transaction } from '#server/database/port.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { attempt, cases, type Line, openWorld, outcomeOf, type Who } from './world.ts'

const operations: Record<string, string> = {
  'read the version': 'select version from public.content_version',
  'set the version': 'update public.content_version set version = 1',
  'add a version': 'insert into public.content_version (only_row) values (true)',
  'remove the version': 'delete from public.content_version',
}

const columns: Who[] = ['visitor', 'member', 'admin', 'service']
const table: Line[] = [
  ['read the version', 'allowed', 'allowed', 'allowed', 'allowed'],
  ['set the version', 'refused', 'refused', 'refused', 'refused'],
  ['add a version', 'refused', 'refused', 'refused', 'refused'],
  ['remove the version', 'refused', 'refused', 'refused', 'refused'],
]

const version = async (tx: Transaction): Promise<number> =>
  Number((await tx.query('select version from public.content_version')).rows[0]?.version)

describe('the content version', () => {
  let db: Database
  beforeAll(async () => {
    db = await openWorld(openTestDatabase)
  })
  afterAll(() => db.close())

  it.each(cases(columns, table))('%s may %s: %s', async (who, operation, outcome) => {
    expect(await outcomeOf(db, who, String(operations[operation]))).toBe(outcome)
  })

  it.each<[who: Who, raisedBy: number, statement: string]>([
    ['admin', 1, "insert into public.resources (title, description, category) values ('t', 'd', 'reading')"],
    [
      'admin',
      1,
      "insert into public.resources (title, description, category) select t, 'd', 'reading' from (values ('a'), ('b')) v(t)",
    ],
    ['admin', 1, "update public.resources set title = 'x'"],
    ['admin', 1, 'delete from public.resources'],
    ['service', 1, 'truncate public.resources'],
    ['admin', 0, "update public.resources set title = 'x' where false"],
    ['admin', 0, 'delete from public.resources where false'],
    // Row-level security lets the statement of a member run, and meet no row.
    ['member', 0, "update public.resources set title = 'x'"],
    ['member', 0, 'delete from public.resources'],
    ['member', 0, "update public.users set name = 'x'"],
  ])('when the %s changes something it rises by %i: %s', async (who, raisedBy, statement) => {
    const raised = await attempt(db, who, async (tx) => {
      const before = await version(tx)
      await tx.query(statement)
      return (await version(tx)) - before
    })
    expect(raised).toEqual({ result: raisedBy })
  })
})
