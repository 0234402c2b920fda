import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { cases, ids, type Line, openWorld, outcomeOf, type Who } from './world.ts'

const operations: Record<string, string> = {
  'read the open row': `select title from public.resources where id = '${ids.open}'`,
  'read the private row': `select title from public.resources where id = '${ids.private}'`,
  'read the body of the private row': `select article_content from public.resources where title = 'Secret'`,
  'add an open row': `insert into public.resources (title, description, category) values ('t', 'd', 'reading')`,
  'add a private row': `insert into public.resources (title, description, category, public) values ('t', 'd', 'podcast', false)`,
  'change the open row': `update public.resources set title = 'x' where id = '${ids.open}'`,
  'change the private row': `update public.resources set title = 'x' where id = '${ids.private}'`,
  'publish the private row': `update public.resources set public = true where id = '${ids.private}'`,
  'change the grade, from which columns are computed': `update public.resources set grade = 'K-5' where id = '${ids.open}'`,
  'write over the open row by upsert': `insert into public.resources (id, title, description, category)
     values ('${ids.open}', 't', 'd', 'reading') on conflict (id) do update set title = excluded.title`,
  'remove the open row': `delete from public.resources where id = '${ids.open}'`,
  'remove the private row': `delete from public.resources where id = '${ids.private}'`,
  'empty the table': 'truncate public.resources',
}

const columns: Who[] = ['visitor', 'anonymous', 'member', 'other', 'admin', 'service']
const table: Line[] = [
  ['read the open row', 'allowed', 'allowed', 'allowed', 'allowed', 'allowed', 'allowed'],
  ['read the private row', 'hidden', 'hidden', 'allowed', 'allowed', 'allowed', 'allowed'],
  ['read the body of the private row', 'hidden', 'hidden', 'allowed', 'allowed', 'allowed', 'allowed'],
  ['add an open row', 'refused', 'refused', 'refused', 'refused', 'allowed', 'allowed'],
  ['add a private row', 'refused', 'refused', 'refused', 'refused', 'allowed', 'allowed'],
  ['change the open row', 'refused', 'hidden', 'hidden', 'hidden', 'allowed', 'allowed'],
  ['change the private row', 'refused', 'hidden', 'hidden', 'hidden', 'allowed', 'allowed'],
  ['publish the private row', 'refused', 'hidden', 'hidden', 'hidden', 'allowed', 'allowed'],
  [
    'change the grade, from which columns are computed',
    'refused',
    'hidden',
    'hidden',
    'hidden',
    'allowed',
    'allowed',
  ],
  ['write over the open row by upsert', 'refused', 'refused', 'refused', 'refused', 'allowed', 'allowed'],
  ['remove the open row', 'refused', 'hidden', 'hidden', 'hidden', 'allowed', 'allowed'],
  ['remove the private row', 'refused', 'hidden', 'hidden', 'hidden', 'allowed', 'allowed'],
  ['empty the table', 'refused', 'refused', 'refused', 'refused', 'refused', 'hidden'],
]

describe('resources', () => {
  let db: Database
  beforeAll(async () => {
    db = await openWorld(openTestDatabase)
  })
  afterAll(() => db.close())

  it.each(cases(columns, table))('%s may %s: %s', async (who, operation, outcome) => {
    expect(await outcomeOf(db, who, String(operations[operation]))).toBe(outcome)
  })

  it.each<[grade: string | null, low: number | null, high: number | null]>([
    ['K-12', 0, 12],
    ['k-3', 0, 3],
    ['6-8', 6, 8],
    ['7', 7, 7],
    ['K', 0, 0],
    ['', null, null],
    ['adults', null, null],
    ['100-200', null, null],
    ['6-', 6, null],
    [null, null, null],
  ])('a row of grade %j spans %j to %j', async (grade, low, high) => {
    const { rows } = await db.asOwner('test', (tx) =>
      tx.query(
        `insert into public.resources (title, description, category, grade) values ('t', 'd', 'reading', $1)
         returning grade_low as low, grade_high as high`,
        [grade],
      ),
    )
    expect(rows).toEqual([{ low, high }])
  })
})
