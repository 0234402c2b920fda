import { randomBytes } from 'node:crypto'
import { appendFile, open, rename, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { Logger } from 'pino'
import type { Cluster } from './cluster.ts'

const MB = 1024 * 1024
/** With less than this, the database takes no more changes: a log of changes that cannot grow is a crash. */
const LEAST_ROOM = 24 * MB
const ROOM_AGAIN = 2 * LEAST_ROOM
/** Room that is taken while there is plenty, so that the database can recover, and be read, on a full disk. */
const RESERVE = 48 * MB
const CHECK_EVERY_MS = 1_000

/** Watches the room on the database's disk. */
export interface DiskGuard {
  /** Begins, once the database can be reached at this address. */
  watch(url: string): void
  /** Gives the reserve away, for a database that is down and takes no changes then; false when there is none. */
  release(): Promise<boolean>
  stop(): Promise<void>
}

/**
 * Keeps the database readable on a full disk: while there is hardly any room it takes no changes (SQLSTATE 25006), and
 * by itself it takes them again as soon as there is room.
 */
export function guardDisk({ folder, data }: Pick<Cluster, 'folder' | 'data'>, log: Logger): DiskGuard {
  const reserve = join(folder, 'reserve')
  let timer: NodeJS.Timeout | undefined
  let checking = Promise.resolve()
  /** Unknown at first: a service that was killed may have left the database in either state. */
  let isFull: boolean | undefined

  async function check(url: string): Promise<void> {
    const room = await roomOf(folder)
    const wanted = room < (isFull ? await roomToGoOn() : LEAST_ROOM)
    // To the brim: it may have died and come back meanwhile, and then lets nobody in.
    if (wanted && room < MB) await letIn(url)
    if (wanted !== isFull) {
      await takeChanges(url, !wanted)
      if (wanted)
        log.error({ freeMb: Math.floor(room / MB) }, 'the disk is full: the database takes no changes')
      else if (isFull) log.warn('there is room again: the database takes changes')
      isFull = wanted
    }
    if (room > RESERVE + ROOM_AGAIN) await makeReserve(reserve)
  }

  /** After a crash each new connection writes a little; without room for that the reserve is given away. */
  async function letIn(url: string): Promise<void> {
    try {
      await takeChanges(url, false)
    } catch (error) {
      if (!/No space left on device|Disk quota exceeded/.test(String(error)) || !(await release()))
        throw error
      await takeChanges(url, false)
    }
  }

  async function release(): Promise<boolean> {
    const held = await stat(reserve).catch(() => undefined)
    await rm(reserve, { force: true })
    if (!held) return false
    log.error('the disk is full: the database recovers with the room that was kept for that')
    // Whoever waits to write would take that room before anybody has looked at the disk.
    await appendFile(join(data, 'postgresql.auto.conf'), "default_transaction_read_only = 'on'\n")
    isFull = true
    return true
  }

  /** Without a reserve the next crash on a full disk would be the last: changes wait until there can be one again. */
  const roomToGoOn = async () =>
    (await stat(reserve).catch(() => undefined)) ? ROOM_AGAIN : RESERVE + ROOM_AGAIN

  return {
    watch(url) {
      const again = () => {
        checking = check(url)
          // The database is away: the next look will find out.
          .catch((error) => log.debug({ err: error }, 'the room on the disk could not be seen to'))
          .finally(() => {
            if (timer) timer = setTimeout(again, CHECK_EVERY_MS)
          })
      }
      timer = setTimeout(again, 0)
    },
    release,
    async stop() {
      clearTimeout(timer)
      timer = undefined
      await checking
    },
  }
}

async function roomOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** For all sessions at once, also those that are open. It outlasts a crash. */
async function takeChanges(url: string, yes: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query(
      yes
        ? 'alter system reset default_transaction_read_only'
        : 'alter system set default_transaction_read_only = on',
    )
    await client.query('select pg_reload_conf()')
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Random bytes: nothing that a file system could leave out or make smaller. */
async function makeReserve(file: string): Promise<void> {
  if (await stat(file).catch(() => undefined)) return
  const piece = randomBytes(MB)
  const handle = await open(`${file}.new`, 'w', 0o600)
  try {
    for (let written = 0; written < RESERVE; written += piece.length) await handle.write(piece)
    await handle.sync()
  } catch (error) {
    await rm(`${file}.new`, { force: true })
    throw error
  } finally {
    await handle.close()
  }
  await rename(`${file}.new`, file)
}
