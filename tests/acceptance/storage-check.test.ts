import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { openFiles } from '#server/files/open.ts'
import { findDisagreements } from '#server/storage/check/find-disagreements.ts'
import { agreeOnPlace } from '#server/storage/check/installation.ts'
import { purgeQuarantine, putBack, quarantine } from '#server/storage/check/quarantine.ts'
import { openTestDatabase, databaseUrl as urlOf } from '#tests/support/databases.ts'
import { listOf } from '#tests/support/files.ts'
import { png } from '#tests/support/samples.ts'
import { storages, type TestStorage } from '#tests/support/storage.ts'

const DAY_MS = 24 * 3_600_000
const picture = { contentType: 'image/png' }
const force = { force: true }

describe.each(storages)('the check on %s', (_name, open) => {
  let storage: TestStorage
  beforeAll(async () => {
    storage = await open()
    await storage.as('admin').from('images').upload('good.png', png, picture)
  })
  afterAll(() => storage.close())
  const images = () => storage.as('admin').from('images')
  const check = (settledBefore = new Date(Date.now() + 5000)) =>
    findDisagreements({ db: storage.db, files: storage.files, settledBefore })
  const nothing = { lost: [], forgotten: [], halfWritten: [] }

  /** An object whose bytes are gone, and bytes that no object names. */
  async function damage(name: string): Promise<string> {
    await images().upload(name, png, picture)
    await storage.files.remove((await images().info(name)).data?.version ?? '')
    const forgotten = randomUUID()
    await storage.files.write(forgotten, png)
    return forgotten
  }

  it('finds nothing when all is well', async () => {
    expect(await check()).toMatchObject(nothing)
  })

  it('finds rows without bytes and bytes without rows, and makes them agree', async () => {
    const forgotten = await damage('lost.png')
    const found = await check()
    expect(found.lost).toMatchObject([{ kind: 'object', label: 'images/lost.png' }])
    expect(found.forgotten.map(({ key }) => key)).toEqual([forgotten])
    await quarantine(storage.db, found, force)
    expect(await check()).toMatchObject(nothing)
    expect((await images().exists('lost.png')).data).toBe(false)
    expect((await images().download('good.png')).error).toBeNull()
  })

  it('deletes nothing: rows and bytes that were set aside can be put back', async () => {
    const forgotten = await damage('aside.png')
    const before = (await images().info('aside.png')).data
    await quarantine(storage.db, await check(), force)
    const { rows, files } = await putBack(storage.db, storage.files)
    expect([rows, files]).toEqual([2, 2]) // With what the test before this one set aside.
    expect((await images().info('aside.png')).data).toEqual(before)
    expect((await listOf(storage.files)).map(({ key }) => key)).toContain(forgotten)
    await quarantine(storage.db, await check(), force)
  })

  it('removes what was set aside after 30 days, and not earlier', async () => {
    const at = (days: number) => new Date(Date.now() + days * DAY_MS)
    expect(await purgeQuarantine(storage.db, storage.files, at(29))).toBe(0)
    expect(await purgeQuarantine(storage.db, storage.files, at(31))).toBe(4)
    expect(await putBack(storage.db, storage.files)).toEqual({ rows: 0, files: 0 })
  })

  it('refuses to set more than 5 % aside, unless it is told to', async () => {
    const forgotten = await damage('much.png')
    await expect(quarantine(storage.db, await check(), { force: false })).rejects.toThrow(/more than 5 %/)
    const found = await check()
    expect([found.lost.length, found.forgotten.length]).toEqual([1, 1])
    expect((await images().exists('much.png')).data).toBe(true)
    const many = Array.from({ length: 40 }, () => randomUUID())
    for (const key of many) await images().upload(`${key}.png`, png, picture)
    await quarantine(storage.db, await check(), { force: false })
    expect(await check()).toMatchObject(nothing)
    expect((await listOf(storage.files)).map(({ key }) => key)).not.toContain(forgotten)
  }, 60_000)

  it('leaves young files alone: they may belong to an upload under way', async () => {
    const young = randomUUID()
    await storage.files.write(young, png)
    expect(await check(new Date(Date.now() - 3_600_000))).toMatchObject(nothing)
    await storage.files.remove(young)
  })

  it('does not count bytes of replaced objects as forgotten while they are kept', async () => {
    await images().upload('good.png', Buffer.concat([png, png]), { ...picture, upsert: true })
    expect(await check()).toMatchObject(nothing)
  })
})

describe.each(storages)('database and files that belong together, on %s', (_name, open) => {
  let storage: TestStorage
  beforeAll(async () => {
    storage = await open()
  })
  afterAll(() => storage.close())

  it('bear the same mark from the first start on', async () => {
    expect(await storage.files.readMarker()).toBeUndefined()
    await agreeOnPlace(storage.db, storage.files)
    const { rows } = await storage.db.asOwner('test', (tx) =>
      tx.query<{ id: string }>('select id from storage.installation'),
    )
    expect(await storage.files.readMarker()).toBe(rows[0]?.id)
    await agreeOnPlace(storage.db, storage.files)
  })

  it('are not taken for those of another installation', async () => {
    const mark = (await storage.files.readMarker()) ?? ''
    await storage.files.writeMarker(randomUUID())
    await expect(agreeOnPlace(storage.db, storage.files)).rejects.toThrow('belongs to another installation')
    await storage.files.writeMarker(mark)
  })

  it('are missed in an empty place: STORAGE_URL was forgotten', async () => {
    await storage.as('admin').from('images').upload('there.png', png, picture)
    const folder = await mkdtemp(join(tmpdir(), 'walking-together-'))
    const elsewhere = await openFiles(`file:${folder}`)
    await expect(agreeOnPlace(storage.db, elsewhere)).rejects.toThrow('Is STORAGE_URL the one')
    expect(await readdir(folder)).toEqual([])
    await rm(folder, { recursive: true })
  })
})

describe('npm run storage', () => {
  let db: Database
  let folder: string
  let databaseUrl: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'walking-together-'))
    db = await openTestDatabase()
    const { rows } = await db.asOwner('test', (tx) =>
      tx.query<{ name: string }>('select current_database() as name'),
    )
    databaseUrl = urlOf(rows[0]?.name ?? '')
  })
  afterEach(async () => {
    await db.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** Files of an installation: forty that are named, one that is not, one half-written. */
  async function damagedFolder(): Promise<{ forgotten: string; half: string }> {
    const files = await openFiles(`file:${folder}`)
    await agreeOnPlace(db, files)
    const [forgotten, half] = [randomUUID(), randomUUID()]
    for (let i = 0; i < 40; i++) {
      const version = randomUUID()
      await files.write(version, png)
      await db.asOwner('test', (tx) =>
        tx.query(
          `insert into storage.objects (bucket_id, name, version, metadata) values ('images', $1, $1, '{}')`,
          [version],
        ),
      )
    }
    await files.write(forgotten, png)
    await mkdir(join(folder, half.slice(0, 2)), { recursive: true })
    await writeFile(join(folder, half.slice(0, 2), `${half}.partial`), 'half')
    return { forgotten, half }
  }
  const run = async (...args: string[]) => {
    const env = { PATH: process.env.PATH ?? '', DATABASE_URL: databaseUrl, STORAGE_URL: `file:${folder}` }
    const options = { cwd: join(import.meta.dirname, '../..'), env }
    return promisify(execFile)(process.execPath, ['tools/storage.ts', ...args], options).then(
      ({ stdout }) => ({ code: 0, said: stdout }),
      (error) => ({ code: error.code as number, said: error.stdout + error.stderr }),
    )
  }

  it('leaves what may be under way alone, and says when all is well', async () => {
    await damagedFolder()
    expect(await run('check')).toMatchObject({ code: 0, said: expect.stringContaining('no row names: 0') })
  }, 60_000)

  it('reports what it finds, sets it aside when told to, finds nothing then, and puts it back', async () => {
    const { forgotten, half } = await damagedFolder()
    const files = await openFiles(`file:${folder}`)
    const yesterday = new Date(Date.now() - DAY_MS)
    for (const name of [forgotten, `${half}.partial`])
      await utimes(join(folder, name.slice(0, 2), name), yesterday, yesterday)
    const first = await run('check')
    expect(first.code).toBe(1)
    expect(first.said).toContain(`Bytes that no row names: 1\n  ${forgotten}`)
    expect(first.said).toContain(`Half-written files: 1\n  ${half}`)
    expect(await run('check', '--repair')).toMatchObject({ code: 0, said: expect.stringContaining('Mended') })
    expect(await run('check')).toMatchObject({
      code: 0,
      said: expect.stringContaining('Half-written files: 0'),
    })
    expect(await run('undo')).toMatchObject({ code: 0, said: expect.stringContaining('0 rows, 2 files') })
    expect((await listOf(files)).map(({ key }) => key)).toEqual(expect.arrayContaining([forgotten, half]))
  }, 60_000)

  it('touches nothing when STORAGE_URL is forgotten', async () => {
    await damagedFolder()
    await rm(folder, { recursive: true })
    await mkdir(folder)
    const { code, said } = await run('check', '--repair')
    expect([code, said]).toEqual([1, expect.stringContaining('Is STORAGE_URL the one')])
    const { rows } = await db.asOwner('test', (tx) => tx.query('select from storage.objects limit 1'))
    expect(rows).toHaveLength(1)
  }, 60_000)

  it('says how it is used', async () => {
    expect(await run('destroy')).toMatchObject({ code: 2, said: expect.stringContaining('Usage') })
    expect(await run('check', '--force')).toMatchObject({ code: 2, said: expect.stringContaining('Usage') })
  })
})
