import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { limitConnections } from './connection-limits.ts'

const PER_CLIENT = 256
let server: Server
let sockets: Socket[]
let unanswered: Array<() => void>

const listen = async (trustedProxies: number, replacedPerSecond?: number) => {
  server = createServer((request, response) => {
    if (request.url === '/now') response.end('now')
    else unanswered.push(() => response.end('late'))
  })
  limitConnections(server, { trustedProxies, ...(replacedPerSecond && { replacedPerSecond }) })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
}
beforeEach(() => {
  sockets = []
  unanswered = []
})
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  server.close()
})

/** A connection that asks for a path, or for nothing. */
const open = (from: string, path?: string): Promise<Socket> =>
  new Promise((resolve) => {
    const { port } = server.address() as AddressInfo
    const socket = connect({ port, host: '127.0.0.1', localAddress: from }, () => resolve(socket))
    sockets.push(socket)
    socket.on('error', () => undefined).resume()
    if (path) socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)
  })
const isClosed = (socket: Socket) =>
  new Promise<boolean>((resolve) => {
    if (socket.closed) resolve(true)
    socket.once('close', () => resolve(true))
    setTimeout(() => resolve(false), 300)
  })
const openMany = async (from: string, path?: string) => {
  const opened: Socket[] = []
  for (let n = 0; n < PER_CLIENT; n++) opened.push(await open(from, path))
  return opened
}

describe('connections of one client', () => {
  it('make room for a new one by what was idle for longest', async () => {
    await listen(0)
    const [first, second] = await openMany('127.0.0.2')
    const fresh = await open('127.0.0.2')
    if (!first || !second) throw new Error('none was opened')
    expect(await Promise.all([first, second, fresh].map(isClosed))).toEqual([true, false, false])
  })

  it('are no more when all of them are in use, and those of others go on', async () => {
    await listen(0)
    const busy = await openMany('127.0.0.2', '/late')
    await expect.poll(() => unanswered.length).toBe(PER_CLIENT)
    expect(await isClosed(await open('127.0.0.2', '/now'))).toBe(true)
    const other = await open('127.0.0.3', '/now')
    expect(await new Promise((resolve) => other.once('data', (answer) => resolve(String(answer))))).toMatch(
      /now$/,
    )
    for (const answer of unanswered) answer()
    const again = await open('127.0.0.2', '/now')
    expect(await new Promise((resolve) => again.once('data', (answer) => resolve(String(answer))))).toMatch(
      /now$/,
    )
    expect(busy.every((socket) => !socket.errored)).toBe(true)
  })

  it('are not replaced faster than readers come', async () => {
    await listen(0, 64)
    const held = await openMany('127.0.0.2')
    const crowd = await Promise.all(Array.from({ length: 100 }, () => open('127.0.0.2')))
    const refused = (await Promise.all(crowd.map(isClosed))).filter(Boolean)
    const replaced = (await Promise.all(held.map(isClosed))).filter(Boolean)
    expect([refused.length, replaced.length]).toEqual([36, 64])
  })

  it('are not counted where they are those of a proxy of ours', async () => {
    await listen(1)
    const [first] = await openMany('127.0.0.2')
    await open('127.0.0.2')
    expect(first && (await isClosed(first))).toBe(false)
  })
})
