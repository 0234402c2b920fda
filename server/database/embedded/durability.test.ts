import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { expect, it } from 'vitest'
import { ask, start } from '#tests/support/own-database.ts'

const COMMITS = 25

/** `strace` on a backend, until the returned function is called; what that backend asked of the kernel, in order. */
async function trace(pid: number, file: string): Promise<() => Promise<string[]>> {
  const calls = 'trace=fdatasync,fsync,sendto,pwrite64'
  const strace = spawn('strace', ['-f', '-e', calls, '-o', file, '-p', String(pid)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [said] = await once(strace.stderr, 'data')
  if (!String(said).includes('attached')) throw new Error(String(said))
  return async () => {
    strace.kill('SIGINT')
    await once(strace, 'exit')
    return (await readFile(file, 'utf8')).split('\n')
  }
}

it('each acknowledged commit is on the disk before the answer leaves', {
  timeout: 120_000,
}, async (context) => {
  const hasStrace = await promisify(execFile)('strace', ['-V']).then(
    () => true,
    () => false,
  )
  if (!hasStrace) return context.skip('strace is not on this machine: nobody looked at the disk')
  const folder = await mkdtemp(join(tmpdir(), 'walking-together-'))
  const { url, stop } = await start(folder)
  const client = new pg.Client({ connectionString: url })
  try {
    await ask(url, 'create table kept (id int)')
    await client.connect()
    const { rows } = await client.query('select pg_backend_pid() as pid')
    const stopTracing = await trace(rows[0].pid, join(folder, 'calls')).catch((error) => {
      context.skip(`strace may not look at other processes here: ${error.message}`)
      throw error
    })
    for (let n = 0; n < COMMITS; n++) {
      await client.query('insert into kept values ($1)', [n])
      // Were the writing of others in between, one call could serve two commits.
      await pause(1)
    }
    const lines = await stopTracing()
    // Answers and calls for the disk take turns: none leaves without one before it.
    const order = lines.flatMap((line) =>
      /fdatasync\(/.test(line) ? ['disk'] : /sendto\(/.test(line) ? ['answer'] : [],
    )
    const answers = order.flatMap((what, i) => (what === 'answer' ? [i] : []))
    const unsaved = answers.filter(
      (at, n) => !order.slice(n === 0 ? 0 : (answers[n - 1] ?? 0), at).includes('disk'),
    )
    expect(answers.length).toBe(COMMITS)
    expect(unsaved).toEqual([])
  } finally {
    await client.end()
    await stop()
    await rm(folder, { recursive: true, force: true })
  }
})
