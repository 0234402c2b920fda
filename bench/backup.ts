// `node bench/backup.ts [resources] [megabytes]`: backs up and restores a large library, and prints time and peak memory of each.
import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { migrate } from '#server/database/migrate.ts'
import { openDatabase, startDatabase } from '#server/database/open.ts'
import { openFiles } from '#server/files/open.ts'

const [resources = 10_000, megabytes = 1000] = process.argv.slice(2).map(Number)
const FILE_BYTES = 5_000_000
const log = pino({ level: 'silent' })
const folder = await mkdtemp(join(tmpdir(), 'walking-together-bench-'))

try {
  await makeLibrary(join(folder, 'from'))
  const archive = join(folder, 'library.tar')
  await measure('backup', ['--to', archive], join(folder, 'from'))
  await rm(join(folder, 'from'), { recursive: true })
  await measure('restore', [archive], join(folder, 'to'))
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function makeLibrary(dataDir: string): Promise<void> {
  const place = {
    database: { kind: 'embedded', folder: join(dataDir, 'postgres') },
    dataDir,
    workers: 1,
  } as const
  const { url, stop } = await startDatabase(place, log)
  const db = await openDatabase({ kind: 'postgres', url }, log)
  try {
    await migrate(db, log)
    await db.asOwner('bench', (tx) =>
      tx.query(
        `insert into public.resources (title, description, category, article_content)
         select 'Resource ' || n, 'What it is about', 'reading',
           (select string_agg(md5(n::text || m), ' ') from generate_series(1, 200) m)
         from generate_series(1, $1::int) n`,
        [resources],
      ),
    )
    const files = await openFiles(`file:${join(dataDir, 'files')}`)
    for (let n = 0; n < (megabytes * 1e6) / FILE_BYTES; n++) {
      const key = randomUUID()
      await files.write(key, randomBytes(FILE_BYTES))
      await db.asOwner('bench', (tx) =>
        tx.query(`insert into storage.objects (bucket_id, name, version) values ('audio', $1, $1)`, [key]),
      )
    }
  } finally {
    await db.close()
    await stop()
  }
}

/** Runs one of `tools/`, with the PostgreSQL that it starts; the memory is its own. */
async function measure(tool: string, args: string[], dataDir: string): Promise<void> {
  const started = performance.now()
  const child = spawn(process.execPath, [`tools/${tool}.ts`, ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir },
    stdio: 'inherit',
  })
  let peak = 0
  const watch = setInterval(async () => {
    // Linux keeps the peak of resident memory for us.
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
    peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0))
  }, 50)
  const code = await new Promise((resolve) => child.once('close', resolve))
  clearInterval(watch)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${tool}: ended with ${code} after ${seconds} s, peak memory ${Math.round(peak / 1024)} MB`)
}
