import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { makeAccount } from '../members.ts'
import type { ServerProcess } from '../server-process.ts'
import { hostileKinds, type Target } from './kinds.ts'

const HOSTILE = '127.0.0.66'
const READERS = ['127.0.0.2', '127.0.0.3', '127.0.0.4']
/** How long a reader thinks between two requests. */
const PAUSE_MS = 30
const PATIENCE_MS = 30_000

/** What honest readers ask for. */
export type Asked = 'healthz' | 'cached' | 'cold'

/** What they got while a hostile client was at work. */
export interface Siege {
  /** Milliseconds of each answer. */
  times: Record<Asked, number[]>
  /** Everything but 200: statuses, and codes of broken connections. */
  failures: string[]
}

/** What hostile clients need to know of a running service with the starter library. */
export async function aimAt({ url, ...server }: ServerProcess): Promise<Target> {
  const page = async (path: string) => (await fetch(url + path)).text()
  const first = (text: string, pattern: RegExp) => {
    const found = pattern.exec(text)?.[0]
    if (!found) throw new Error(`there is nothing like ${pattern} on the page`)
    return found
  }
  const listing = await page('/resources')
  const podcast = first(await page('/resources/podcast'), /\/resource\/[0-9a-f-]{36}/)
  return {
    port: Number(new URL(url).port),
    publishableKey: server.keys.publishable,
    picture: first(listing, /\/storage\/v1\/render\/image\/[^"?]+/),
    recording: first(await page(podcast), /\/storage\/v1\/object\/public\/audio\/[^"]+/),
    email: (await makeAccount({ url, ...server }, 'member')).email,
  }
}

let cold = 0
const paths: Record<Asked, () => string> = {
  healthz: () => '/healthz',
  cached: () => '/resources',
  cold: () => `/resources?q=cold${(cold++).toString(36)}`,
}

/**
 * Lets one hostile client of a kind (none: nobody) at the service for some time, from one address, while readers at other
 * addresses ask for what they always ask for.
 */
export async function besiege(
  name: string | undefined,
  target: Target,
  milliseconds: number,
): Promise<Siege> {
  const worker = name ? startHostile(name, target) : undefined
  // It is at work when the clocks begin.
  await pause(500)
  const siege: Siege = { times: { healthz: [], cached: [], cold: [] }, failures: [] }
  const end = performance.now() + milliseconds
  await Promise.all(READERS.map((address) => readUntil(end, { address, port: target.port, siege })))
  await worker?.stop()
  return siege
}

function startHostile(name: string, target: Target) {
  if (!hostileKinds[name]) throw new Error(`there is no hostile client called ${name}`)
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: { name, target, from: HOSTILE },
  })
  const ended = new Promise<void>((resolve, reject) => {
    worker.once('error', reject).once('exit', () => resolve())
  })
  return {
    async stop() {
      worker.postMessage('stop')
      await Promise.race([ended, pause(2_000)])
      await worker.terminate()
    },
  }
}

interface Reading {
  address: string
  port: number
  siege: Siege
}

async function readUntil(end: number, { address, port, siege }: Reading): Promise<void> {
  const agent = new Agent({ keepAlive: true })
  while (performance.now() < end) {
    for (const asked of ['healthz', 'cached', 'cold'] as const) {
      const started = performance.now()
      const failure = await ask({ port, localAddress: address, agent, path: paths[asked]() })
      siege.times[asked].push(performance.now() - started)
      if (failure) siege.failures.push(`${asked}: ${failure}`)
      await pause(PAUSE_MS)
    }
  }
  agent.destroy()
}

/** Undefined for a whole answer of 200. */
const ask = (options: {
  port: number
  localAddress: string
  agent: Agent
  path: string
}): Promise<string | undefined> =>
  new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', timeout: PATIENCE_MS, ...options }, (answer) => {
      answer
        .resume()
        .once('end', () => resolve(answer.statusCode === 200 ? undefined : String(answer.statusCode)))
      answer.once('error', (error) => resolve(error.message))
    })
    sent.once('timeout', () => sent.destroy(new Error('no answer')))
    sent.once('error', (error) => resolve(error.message))
    sent.end()
  })
