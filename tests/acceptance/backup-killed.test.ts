import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { placeOfArchive } from '#server/backup/archives/open.ts'
import { makeBackup } from '#server/backup/nightly.ts'
import { openDatabase } from '#server/database/open.ts'
import { fill, openPlace, type TestPlace, tableDigests } from '#tests/support/backups.ts'
import { databaseUrl, onServer } from '#tests/support/databases.ts'
import { runTool, startTool } from '#tests/support/run-tool.ts'

const KILLS = 4

let folder: string
let source: TestPlace
const databases: string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'walking-together-killed-'))
  source = await openPlace()
  await fill(source, { sizes: Array.from({ length: 40 }, (_, n) => n * 20_000) })
  await makeBackup(source, await placeOfArchive(join(folder, 'good.tar')))
}, 120_000)
afterAll(async () => {
  await source?.remove()
  for (const name of databases) await onServer(`drop database if exists ${name} with (force)`)
  await rm(folder, { recursive: true, force: true })
})

async function emptyPlace() {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await onServer(`create database ${name} template template0`)
  databases.push(name)
  return { DATABASE_URL: databaseUrl(name), DATA_DIR: join(folder, name) }
}

/** Kills at a random moment; false when it was over by then. */
async function killWithin(
  ms: number,
  tool: string,
  args: string[],
  env: Record<string, string>,
): Promise<boolean> {
  const { process: child, ended } = startTool(tool, args, env)
  await Promise.race([ended, pause(Math.random() * ms)])
  child.kill('SIGKILL')
  return (await ended).code === null
}

it('a restore that is killed leaves a place that can be restored into, without force', async () => {
  const started = performance.now()
  await runTool('restore', [join(folder, 'good.tar')], await emptyPlace())
  const whole = performance.now() - started
  let killed = 0
  for (let n = 0; n < KILLS; n++) {
    const place = await emptyPlace()
    if (!(await killWithin(whole, 'restore', [join(folder, 'good.tar')], place))) continue
    killed++
    const db = await openDatabase({ kind: 'postgres', url: place.DATABASE_URL }, pino({ level: 'silent' }))
    // Its connection may not have noticed yet that nobody is there any more.
    const again = await runTool('restore', [join(folder, 'good.tar')], place)
    const { rows } = await db.asOwner('test', (tx) =>
      tx.query(`select to_regclass('auth.users')::text as users`),
    )
    await db.close()
    const isCommitted = again.said.includes('holds data already')
    expect([again.code, again.said]).toEqual([isCommitted ? 1 : 0, expect.anything()])
    expect(rows).toEqual([{ users: 'auth.users' }])
    expect(await tableDigests({ databaseUrl: place.DATABASE_URL })).toEqual(await tableDigests(source))
  }
  expect(killed).toBeGreaterThan(0)
}, 240_000)

it('a backup that is killed leaves no archive by its name, and the next one is well', async () => {
  const env = { DATABASE_URL: source.databaseUrl, DATA_DIR: source.dataDir }
  for (let n = 0; n < KILLS; n++) {
    const to = join(folder, `killed-${n}.tar`)
    await killWithin(1_500, 'backup', ['--to', to], env)
    // Whole or not there at all.
    if (!(await readdir(folder)).includes(`killed-${n}.tar`)) continue
    const restored = await runTool('restore', [to], await emptyPlace())
    expect([restored.code, restored.said]).toEqual([0, expect.anything()])
  }
  expect(await runTool('backup', ['--to', join(folder, 'next.tar')], env)).toMatchObject({ code: 0 })
}, 240_000)
