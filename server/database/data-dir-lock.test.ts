import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SetupError } from '#server/config/env.ts'
import { DataDirInUse, DataDirUnusable, lockDataDir } from './open.ts'

const lockFile = join(import.meta.dirname, 'open.ts')
/** Claims the folder, tells how that went, and holds it until it is killed. */
const claimant = `
  const { lockDataDir } = await import(${JSON.stringify(lockFile)})
  await lockDataDir(process.argv[1]).then(() => console.log('claimed'), (error) => console.log(error.name))
  process.stdin.resume()
`

let folder: string
let children: ChildProcess[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'walking-together-lock-'))
  children = []
})
afterEach(async () => {
  await Promise.all(children.map(kill))
  await rm(folder, { recursive: true, force: true })
})

/** A real second process; resolves with what it says about its claim. */
const claimInAnotherProcess = (dataDir = folder): Promise<string> => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', claimant, dataDir], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  children.push(child)
  return new Promise((resolve, reject) => {
    child.stdout.once('data', (text) => resolve(String(text).trim()))
    child.once('error', reject)
  })
}

const kill = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })

describe('the claim on a data folder', () => {
  it('refuses a second process, and says what to do', async () => {
    expect(await claimInAnotherProcess()).toBe('claimed')
    const second = lockDataDir(folder)
    await expect(second).rejects.toBeInstanceOf(DataDirInUse)
    await expect(second).rejects.toBeInstanceOf(SetupError)
    await expect(second).rejects.toThrow(
      `Another Walking Together process is using ${folder}. Stop it first, or give this one its own DATA_DIR`,
    )
  })

  it('refuses the same process as well', async () => {
    const letGo = await lockDataDir(folder)
    await expect(lockDataDir(folder)).rejects.toBeInstanceOf(DataDirInUse)
    await letGo()
  })

  it('ends when it is let go', async () => {
    const letGo = await lockDataDir(folder)
    expect(await claimInAnotherProcess()).toBe('DataDirInUse')
    await letGo()
    expect(await claimInAnotherProcess()).toBe('claimed')
  })

  it('ends with its process, however that ends, and is free at once', async () => {
    for (let round = 0; round < 3; round++) {
      expect(await claimInAnotherProcess()).toBe('claimed')
      await kill(children[round] as ChildProcess)
    }
    const letGo = await lockDataDir(folder)
    await letGo()
  })

  it('goes to exactly one of several that start at the same moment, also after a crash', async () => {
    expect(await claimInAnotherProcess()).toBe('claimed')
    await kill(children[0] as ChildProcess)
    const claims = await Promise.all(Array.from({ length: 6 }, () => claimInAnotherProcess()))
    expect(claims.toSorted()).toEqual([...Array(5).fill('DataDirInUse'), 'claimed'])
  })

  it('leaves other folders alone', async () => {
    const letGo = await lockDataDir(join(folder, 'one'))
    expect(await claimInAnotherProcess(join(folder, 'two'))).toBe('claimed')
    await letGo()
  })

  it('makes the folder, for its owner only', async () => {
    const letGo = await lockDataDir(join(folder, 'new', 'data'))
    expect((await stat(join(folder, 'new', 'data'))).mode & 0o777).toBe(0o700)
    await letGo()
  })

  it('works under a long path with blanks and accents', async () => {
    const deep = join(folder, 'ä folder '.repeat(10), 'b'.repeat(120))
    expect(deep.length).toBeGreaterThan(200)
    const letGo = await lockDataDir(deep)
    await expect(lockDataDir(deep)).rejects.toBeInstanceOf(DataDirInUse)
    await letGo()
  })

  it('says why a folder cannot be used', async () => {
    await writeFile(join(folder, 'file'), '')
    const notAFolder = lockDataDir(join(folder, 'file', 'data'))
    await expect(notAFolder).rejects.toBeInstanceOf(DataDirUnusable)
    await expect(notAFolder).rejects.toThrow(
      /^The data folder .*file\/data cannot be used: ENOTDIR.*DATA_DIR must name/,
    )

    await mkdir(join(folder, 'blocked', 'owner.lock'), { recursive: true })
    await expect(lockDataDir(join(folder, 'blocked'))).rejects.toThrow(
      /cannot be used: unable to open database file/,
    )
  })
})
