import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { lockDataDir } from '#server/database/data-dir-lock.ts'
import { migrate } from '#server/database/migrate.ts'
import { openDatabase } from '#server/database/open.ts'
import { openFiles } from '#server/files/open.ts'
import { findDisagreements } from '#server/storage/check/find-disagreements.ts'
import { repair } from '#server/storage/check/repair.ts'
import { png } from '#tests/support/samples.ts'
import { storages, type TestStorage } from '#tests/support/storage.ts'

describe.each(storages)('the check on %s', (_name, open) => {
  let storage: TestStorage
  beforeAll(async () => {
    storage = await open()
    await storage.as('admin').from('images').upload('good.png', png, { contentType: 'image/png' })
  })
  afterAll(() => storage.close())
  const check = (settledBefore = new Date(Date.now() + 5000)) =>
    findDisagreements({ db: storage.db, files: storage.files, settledBefore })
  const nothing = { lost: [], forgotten: [], halfWritten: [] }

  it('finds nothing when all is well', async () => {
    expect(await check()).toEqual(nothing)
  })

  it('finds rows without bytes and bytes without rows, and makes them agree', async () => {
    const images = storage.as('admin').from('images')
    await images.upload('lost.png', png, { contentType: 'image/png' })
    await storage.files.remove((await images.info('lost.png')).data?.version ?? '')
    const forgotten = randomUUID()
    await storage.files.write(forgotten, png)
    const found = await check()
    expect(found.lost).toMatchObject([{ kind: 'object', label: 'images/lost.png' }])
    expect(found.forgotten.map(({ key }) => key)).toEqual([forgotten])
    await repair(storage.db, found)
    expect(await check()).toEqual(nothing)
    expect((await images.exists('lost.png')).data).toBe(false)
    expect((await images.download('good.png')).error).toBeNull()
  })

  it('leaves young files alone: they may belong to an upload under way', async () => {
    const young = randomUUID()
    await storage.files.write(young, png)
    expect(await check(new Date(Date.now() - 3_600_000))).toEqual(nothing)
    await storage.files.remove(young)
  })
})

describe('npm run storage -- check', () => {
  const folders: string[] = []
  afterEach(async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
  })
  /** The data folder of a service that is stopped, with one file too many and one half-written. */
  async function damagedFolder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'walking-together-'))
    folders.push(folder)
    const log = pino({ level: 'silent' })
    const db = await openDatabase({ kind: 'pglite', folder: join(folder, 'postgres') }, log)
    await migrate(db, log)
    await db.close()
    const files = await openFiles(`file:${join(folder, 'files')}`)
    await files.write('forgotten', png)
    await mkdir(join(folder, 'files', 'ha'), { recursive: true })
    await writeFile(join(folder, 'files', 'ha', 'half.partial'), 'half')
    return folder
  }
  const run = async (folder: string, ...flags: string[]) => {
    const env = { PATH: process.env.PATH ?? '', DATA_DIR: folder }
    const args = ['tools/storage.ts', 'check', ...flags]
    return promisify(execFile)(process.execPath, args, { cwd: join(import.meta.dirname, '../..'), env }).then(
      ({ stdout }) => ({ code: 0, said: stdout }),
      (error) => ({ code: error.code as number, said: error.stdout + error.stderr }),
    )
  }

  it('reports what it finds, mends it when told to, and then finds nothing', async () => {
    const folder = await damagedFolder()
    const first = await run(folder)
    expect(first.code).toBe(1)
    expect(first.said).toContain('Bytes that no row names: 1\n  forgotten')
    expect(first.said).toContain('Half-written files: 1\n  half')
    expect(await run(folder, '--repair')).toMatchObject({ code: 0, said: expect.stringContaining('Mended.') })
    expect(await run(folder)).toMatchObject({
      code: 0,
      said: expect.stringContaining('Half-written files: 0'),
    })
  }, 60_000)

  it('stays away from a data folder that a running service owns', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'walking-together-'))
    folders.push(folder)
    const unlock = await lockDataDir(folder)
    const { code, said } = await run(folder)
    await unlock()
    expect([code, said]).toEqual([1, expect.stringContaining('Another Walking Together process is using')])
  })

  it('says how it is used', async () => {
    expect(await run('.', '--destroy')).toMatchObject({ code: 2, said: expect.stringContaining('Usage') })
  })
})
