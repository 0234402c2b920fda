import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { availableMemory } from 'node:process'
import { NODE_COMPILE_CACHE } from './server-process.ts'
import { startTestPostgres } from './test-postgres.ts'

/** Linux keeps what lies here in memory. */
const MEMORY = '/dev/shm'
/** What a run needs at most, with room to spare; containers often have 64 MB there. */
const ROOM_BYTES = 3 * 1024 ** 3

/** One place for everything that a run writes, and one PostgreSQL server, of either runner. What it returns ends them. */
export default async function setUp(): Promise<() => Promise<void>> {
  // For whatever a test starts with this environment.
  process.env.NODE_COMPILE_CACHE ??= NODE_COMPILE_CACHE
  const removeFolder = await moveToMemory()
  const stopPostgres = await startTestPostgres()
  return async () => {
    await stopPostgres()
    await removeFolder()
  }
}

/**
 * Temporary files lie in memory from now on, where there is room: each database is a thousand files, and a disk takes a
 * second of both processors to copy them.
 */
async function moveToMemory(): Promise<() => Promise<void>> {
  if (process.env.TMPDIR || !(await hasRoom())) return async () => undefined
  const folder = await mkdtemp(`${MEMORY}/walking-together-tests-`)
  // PostgreSQL runs as somebody else where root runs the tests.
  await chmod(folder, 0o711)
  process.env.TMPDIR = folder
  return () => rm(folder, { recursive: true, force: true })
}

async function hasRoom(): Promise<boolean> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }))
  return Math.min(bavail * bsize, availableMemory() / 2) > ROOM_BYTES
}
