import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { type ContentWatch, watchDatabase } from './content-watch.ts'

let db: Database
let watch: ContentWatch
const told: string[] = []
const note = (what: string) => () => void told.push(what)
const observer = { expire: note('expire'), purge: note('purge'), doubt: note('doubt'), trust: note('trust') }
const change = (sql: string) => db.asOwner('test', (tx) => tx.script(sql))

beforeAll(async () => {
  db = await openTestDatabase()
  // Announcements that are late: none has come when a change is answered.
  const late: Database = { ...db, listen: async () => async () => undefined }
  watch = await watchDatabase(late, observer)
})
afterAll(async () => {
  await watch.stop()
  await db.close()
})
beforeEach(() => {
  told.length = 0
})

it('a change of one’s own is seen before it is announced, and told once', async () => {
  await change(
    "insert into public.resources (title, description, category, public) values ('a', 'b', 'webinar', true)",
  )
  await watch.seeOwnChange()
  await watch.seeOwnChange()
  expect(told).toEqual(['expire'])
})

it('what was taken from view is purged', async () => {
  await change('update public.resources set public = false')
  await watch.seeOwnChange()
  expect(told).toEqual(['purge'])
})

it('what does not change the library changes nothing here', async () => {
  await watch.seeOwnChange()
  expect(told).toEqual([])
})
