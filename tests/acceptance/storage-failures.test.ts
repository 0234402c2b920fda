import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, DatabaseUnavailable } from '#server/database/port.ts'
import { type Files, FilesFull } from '#server/files/port.ts'
import { purgeRetiredBytes } from '#server/storage/stored-bytes.ts'
import { listOf } from '#tests/support/files.ts'
import { png } from '#tests/support/samples.ts'
import { serveStorage, storages, type TestStorage } from '#tests/support/storage.ts'

const picture = { contentType: 'image/png' }
const inEightDays = () => new Date(Date.now() + 8 * 24 * 3_600_000)

describe.each(storages)('when something fails, on %s', (_name, open) => {
  let storage: TestStorage
  beforeAll(async () => {
    storage = await open()
  })
  afterAll(() => storage.close())
  /** The same storage over files that fail in one way. */
  const failing = (failure: Partial<Files>) =>
    serveStorage(storage.db, { ...storage.files, ...failure })
      .as('admin')
      .from('images')
  const rows = async () =>
    (await storage.db.asOwner('test', (tx) => tx.query('select name from storage.objects'))).rows

  it('a full disk is said to be full, and nothing is half-made', async () => {
    const images = failing({
      write: async () => {
        throw new FilesFull(new Error('ENOSPC'))
      },
    })
    const { error } = await images.upload('full.png', png, picture)
    expect(error).toMatchObject({ status: 507, message: 'There is no room left to store files' })
    expect(await rows()).toEqual([])
    expect(await storage.storedKeys()).toEqual([])
  })

  it('a row that cannot be committed takes its bytes with it', async () => {
    await storage.db.asOwner('a check at the end of the transaction', (tx) =>
      tx.script(`
        create function public.refuse_late() returns trigger language plpgsql as
          $$ begin raise exception 'not this one'; end $$;
        create constraint trigger refuse_late after insert or update on storage.objects
          deferrable initially deferred for each row when (new.name = 'late.png') execute function public.refuse_late();
      `),
    )
    const { error } = await storage.as('admin').from('images').upload('late.png', png, picture)
    expect(error).toMatchObject({ status: 400, message: 'not this one' })
    expect(await rows()).toEqual([])
    expect(await storage.storedKeys()).toEqual([])
  })

  it('bytes stay when the database went away before it said whether the row was committed', async () => {
    const db: Database = {
      ...storage.db,
      async asCaller(...parameters) {
        await storage.db.asCaller(...parameters)
        throw new DatabaseUnavailable(new Error('the line went dead'))
      },
    }
    const { error } = await serveStorage(db, storage.files)
      .as('admin')
      .from('images')
      .upload('unsure.png', png, picture)
    expect(error).toMatchObject({ status: 503 })
    expect((await storage.as('admin').from('images').download('unsure.png')).error).toBeNull()
    await storage.as('admin').from('images').remove(['unsure.png'])
    expect(await storage.storedKeys()).toEqual([])
  })

  it('a replaced version that cannot be removed does not spoil the answer', async () => {
    const refuse = async () => {
      throw new Error('read-only')
    }
    const images = failing({ remove: refuse })
    expect((await images.upload('kept.png', png, picture)).error).toBeNull()
    expect((await images.upload('kept.png', png, { ...picture, upsert: true })).error).toBeNull()
    expect((await images.remove(['kept.png'])).data).toHaveLength(1)
    const stubborn = purgeRetiredBytes(storage.db, { ...storage.files, remove: refuse }, inEightDays())
    await expect(stubborn).rejects.toThrow('read-only')
    expect(await listOf(storage.files)).toHaveLength(2)
    expect(await storage.storedKeys()).toEqual([])
  })

  it('lost bytes look like a missing object', async () => {
    const images = storage.as('admin').from('images')
    await images.upload('lost.png', png, picture)
    await storage.files.remove((await images.info('lost.png')).data?.version ?? '')
    expect((await images.download('lost.png')).error).toMatchObject({ status: 404 })
    expect((await images.copy('lost.png', 'copy.png')).error).toMatchObject({ status: 404 })
    const { publicUrl } = images.getPublicUrl('lost.png').data
    expect((await storage.fetch(new Request(publicUrl))).status).toBe(404)
  })

  it('an unknown failure gives an apology without its cause', async () => {
    const images = failing({
      write: async () => {
        throw new Error('password=hunter2')
      },
    })
    const { error } = await images.upload('x.png', png, picture)
    expect(error).toMatchObject({ status: 500, message: 'Something went wrong on our side' })
  })

  it('a database that is away is said to be away', async () => {
    const away = await open()
    await away.close()
    const { error } = await away.as('admin').listBuckets()
    expect(error).toMatchObject({ status: 503 })
  })
})
