import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beginRun, endRun } from '#server/backup/nightly.ts'
import type { Database } from '#server/database/port.ts'
import { openTestDatabase } from '#tests/support/databases.ts'

let db: Database
const [member, admin] = [randomUUID(), randomUUID()]
const claims = (sub: string) => ({ sub, role: 'authenticated' })

beforeAll(async () => {
  db = await openTestDatabase()
  await db.asOwner('test', async (tx) => {
    for (const id of [member, admin]) {
      await tx.query('insert into auth.users (id, email) values ($1, $2)', [id, `${id}@example.org`])
    }
    await tx.query(`update public.users set role = 'admin' where id = $1`, [admin])
  })
})
afterAll(() => db.close())

const seenBy = (id: string) =>
  db.asCaller({ role: 'authenticated', claims: claims(id) }, (tx) =>
    tx.query<{ outcome: string; bytes: number; message: string }>(
      'select outcome, bytes, message from public.backup_runs order by started_at',
    ),
  )

describe('how backups went', () => {
  it('is for admins to see, and for nobody to write', async () => {
    const id = await beginRun(db)
    expect((await seenBy(admin)).rows).toMatchObject([{ outcome: 'running' }])
    await endRun(db, id, {
      outcome: 'verified',
      archive: 'a.tar',
      bytes: 7,
      resources: 1,
      files: 1,
      missingFiles: 0,
    })
    expect((await seenBy(admin)).rows).toEqual([{ outcome: 'verified', bytes: 7, message: '' }])
    expect((await seenBy(member)).rows).toEqual([])
    await expect(
      db.asCaller({ role: 'anon', claims: { role: 'anon' } }, (tx) =>
        tx.query('select from public.backup_runs'),
      ),
    ).rejects.toThrow('permission denied')
    const writing = db.asCaller({ role: 'authenticated', claims: claims(admin) }, (tx) =>
      tx.query(`update public.backup_runs set outcome = 'verified'`),
    )
    await expect(writing).rejects.toThrow('permission denied')
  })

  it('is failed when the process ended in the middle of it', async () => {
    await beginRun(db)
    await beginRun(db)
    expect((await seenBy(admin)).rows.slice(-2)).toMatchObject([
      { outcome: 'failed', message: 'The process ended in the middle of it.' },
      { outcome: 'running' },
    ])
  })
})
