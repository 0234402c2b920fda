import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { migratedDump } from '#tests/support/pglite-dump.ts'
import { openDatabase } from './open.ts'
import { createPglite } from './pglite.ts'

const log = pino({ level: 'silent' })

/** Commits one note, writes another without committing, and is gone in the middle of it. */
const victim = `
  const { openPglite } = await import(${JSON.stringify(join(import.meta.dirname, 'pglite.ts'))})
  const driver = await openPglite(process.argv[1])
  await driver.transaction((tx) => tx.script("create table notes (body text); insert into notes values ('committed')"), [])
  await driver.transaction(async (tx) => {
    await tx.query("insert into notes values ('in flight')")
    process.kill(process.pid, 'SIGKILL')
  }, [])
`

describe('the embedded database in a folder', { timeout: 60_000 }, () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'walking-together-pglite-'))
    await (await createPglite(folder, await migratedDump())).close()
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const open = () => openDatabase({ kind: 'pglite', folder }, log)

  it('keeps what was committed when its process is killed, and opens again', async () => {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', victim, folder], {
      stdio: 'inherit',
    })
    const signal = await new Promise((resolve) => child.once('exit', (_code, by) => resolve(by)))
    expect(signal).toBe('SIGKILL')

    const db = await open()
    const { rows } = await db.asOwner('test', (tx) => tx.query('select body from notes'))
    expect(rows).toEqual([{ body: 'committed' }])
    await db.close()
  })

  it('counts its rows for the planner when it is opened, since nobody else does', async () => {
    const counted = "select reltuples::int as n from pg_class where oid = 'public.resources'::regclass"
    const add = `insert into public.resources (title, description, category)
      select 't', 'd', 'reading' from generate_series(1, 100)`
    const first = await open()
    const before = await first.asOwner('test', (tx) => tx.query(add).then(() => tx.query(counted)))
    await first.close()
    const second = await open()
    const after = await second.asOwner('test', (tx) => tx.query(counted))
    expect([before.rows, after.rows]).toEqual([[{ n: 0 }], [{ n: 100 }]])
    await second.close()
  })
})
