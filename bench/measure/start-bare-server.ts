import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { get, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endProcess } from '#tests/support/server-process.ts'

/** Starts a bare node:http server, in a process of its own, that answers as the given response does. */
export async function startBareServer({ headers, body }: RawAnswer) {
  const folder = await mkdtemp(join(tmpdir(), 'walking-together-bench-'))
  const file = join(folder, 'body')
  await writeFile(file, body)
  const hopByHop = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding'])
  const sent = Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name)))
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare-server.ts')], {
    env: { BODY: file, HEADERS: JSON.stringify(sent) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout, 'data')
  const { port } = JSON.parse(String(line)) as { port: number }
  const stop = async () => {
    await endProcess(child)
    await rm(folder, { recursive: true, force: true })
  }
  return { port, pid: child.pid, stop }
}

interface RawAnswer {
  headers: IncomingHttpHeaders
  body: Buffer
}

/** An answer as it comes over the wire: fetch would unpack it. */
export const fetchRaw = (url: string, encoding: 'br' | 'gzip'): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': encoding } }, async (response) => {
      resolve({ headers: response.headers, body: Buffer.concat(await response.toArray()) })
    }).once('error', reject)
  })
