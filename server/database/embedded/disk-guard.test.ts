import { open, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '#server/config/config.ts'
import { visitor } from '#server/tokens/caller.ts'
import { mountSmall, postmasterOf, temporaryFolders } from '#tests/support/own-database.ts'
import { type OwnDatabase, openServiceDatabase } from '../open.ts'

const MB = 1024 * 1024
const patiently = { timeout: 240_000 }
const folders = temporaryFolders()

let dataDir: string
let unmount: (() => Promise<void>) | undefined
let own: OwnDatabase
beforeAll(async () => {
  dataDir = await folders.make()
  unmount = await mountSmall(dataDir, 330)
  if (!unmount) return
  own = await openServiceDatabase(readConfig({ DATA_DIR: dataDir }), pino({ level: 'silent' }))
  await own.db.asOwner('test', (tx) => tx.script('create table notes (id serial primary key, text text)'))
}, 120_000)
afterAll(async () => {
  await own?.close()
  await unmount?.()
  await folders.removeAll()
})

const write = (text = 'short') =>
  own.db.asOwner('test', async (tx) => {
    const { rows } = await tx.query<{ id: number }>('insert into notes (text) values ($1) returning id', [
      text,
    ])
    return rows[0]?.id ?? 0
  })
const read = () =>
  own.db.asOwner('test', async (tx) => {
    const { rows } = await tx.query<{ id: number }>('select id from notes order by id')
    return rows.map(({ id }) => id)
  })
/** What a write comes to: its SQLSTATE, or the number of the row. */
const outcome = (work: Promise<number>): Promise<string | number> =>
  work.catch((error) => error.code ?? error.name)
const reserve = () => join(dataDir, 'postgres/reserve')

/** Takes the room on the disk, but for so many megabytes; gives it back. */
async function fill(rest: number): Promise<() => Promise<void>> {
  const file = join(dataDir, 'filling')
  const handle = await open(file, 'w')
  const piece = Buffer.alloc(MB / 4, 1)
  try {
    for (;;) {
      const { bavail, bsize } = await statfs(dataDir)
      if (bavail * bsize <= rest * MB) break
      await handle.write(piece)
    }
  } catch {
    // Full to the brim.
  } finally {
    await handle.close()
  }
  return () => rm(file)
}

const present = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  )

describe('our own PostgreSQL on a full disk', patiently, () => {
  it('refuses changes, goes on being read, and takes changes again when there is room', async (context) => {
    if (!unmount) return context.skip('mounting a small disk is not permitted here')
    await expect.poll(() => present(reserve()), { timeout: 30_000 }).toBe(true)
    const first = await write()
    const giveBack = await fill(10)
    await expect.poll(() => outcome(write()), { timeout: 30_000 }).toBe('53100')
    expect(await read()).toContain(first)
    const page = own.db.asCaller(visitor, (tx) => tx.query('select 1 as one'), { readOnly: true })
    expect((await page).rows).toEqual([{ one: 1 }])
    await giveBack()
    await expect.poll(() => outcome(write()), { timeout: 30_000 }).toBeTypeOf('number')
  })

  it('loses nothing and comes back by itself when the room goes all at once', async (context) => {
    if (!unmount) return context.skip('mounting a small disk is not permitted here')
    await expect.poll(() => present(reserve()), { timeout: 30_000 }).toBe(true)
    const kept: number[] = []
    let isFull = false
    const long = 'x'.repeat(200_000)
    const incompressible = () => Array.from(long, () => Math.random().toString(36)[2]).join('')
    const writing = (async () => {
      for (let n = 0; n < 4_000 && !(isFull && n % 50 === 49); n++) {
        const id = await outcome(write(incompressible()))
        if (typeof id === 'number') kept.push(id)
      }
    })()
    const giveBack = await fill(0)
    // A crash while there is no room at all: it can only recover with what was kept for that.
    process.kill(await postmasterOf(dataDir), 'SIGKILL')
    isFull = true
    await writing
    const readable = () => read().catch(() => [])
    await expect.poll(readable, { timeout: 60_000 }).toEqual(expect.arrayContaining(kept))
    await giveBack()
    await expect.poll(() => outcome(write()), { timeout: 60_000 }).toBeTypeOf('number')
    expect(await read()).toEqual(expect.arrayContaining(kept))
    await expect.poll(() => present(reserve()), { timeout: 60_000 }).toBe(true)
  })
})
