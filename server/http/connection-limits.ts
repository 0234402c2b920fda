import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from './admission.ts'

/** How much of a connection's patience we have; everything else is the business of the handlers. */
export const connectionOptions: ServerOptions = {
  /** Room for a long address, so that it gets our own 414 and not a bare error of the HTTP parser. */
  maxHeaderSize: 64 * 1024,
  /** Slow clients: a request's head that comes a few bytes a second holds a connection for so long. */
  headersTimeout: 20_000,
  /** A recording of 50 MB at 1.4 Mbit/s. Resumable uploads send it in parts, for slower lines. */
  requestTimeout: 300_000,
  connectionsCheckingInterval: 5_000,
}

/** Neither a byte sent nor one read: somebody who does not read an answer, or left without a word. */
const SILENCE_MS = 120_000
/** Of all clients together: each costs some kilobytes. */
const MAX_CONNECTIONS = 4_000
/** More than a school behind one address has in use at the same moment. */
const PER_CLIENT = 256
/** More than a crowd behind one address opens when something is published; whoever opens faster makes no room by it. */
const REPLACED_PER_SECOND = 512
/** Refused connections are held, unread, for so long: who is hung up on at once is there again at once. */
const HELD_MS = 200
/** Of one client: each costs a socket, and nothing else. */
const MAX_HELD = 1_024

interface ConnectionLimits {
  trustedProxies: number
  replacedPerSecond?: number
}

/**
 * Bounds the connections of the server, in number, by client and in silence. A client that opens more than its share
 * loses the one that was idle for longest, which browsers replace without a word; a new one is refused when all of
 * them are in use, or were replaced too often. Behind proxies of ours (TRUST_PROXY) all connections are theirs: counting clients is theirs too.
 */
export function limitConnections(
  server: Server,
  { trustedProxies, replacedPerSecond = REPLACED_PER_SECOND }: ConnectionLimits,
): void {
  server.maxConnections = MAX_CONNECTIONS
  server.setTimeout(SILENCE_MS)
  if (trustedProxies > 0) return
  const clients = new Map<string, Connections>()
  const connectionsOf = new WeakMap<Socket, Connections>()
  // What reads requests is made only for connections that are let in: it costs more than the connection.
  const serve = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const client = networkOf(socket.remoteAddress)
    const connections = clients.get(client) ?? new Connections(replacedPerSecond)
    clients.set(client, connections)
    socket.once('close', () => {
      connections.remove(socket)
      if (connections.isEmpty && clients.get(client) === connections) clients.delete(client)
    })
    if (!connections.add(socket)) return connections.refuse(socket)
    connectionsOf.set(socket, connections)
    for (const listener of serve) listener.call(server, socket)
  })
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) =>
    connectionsOf.get(socket)?.use(socket, response),
  )
}

/** What a connection was last asked for. */
interface Use {
  response?: ServerResponse
  /** Rises with each use, of all connections together. */
  turn: number
}

let turns = 0

/** One client's connections. Which of them is idle is asked only when room is needed, for requests are far more frequent. */
class Connections {
  private readonly replacedPerSecond: number
  private readonly uses = new Map<Socket, Use>()
  private readonly held = new Set<Socket>()
  private replaced = 0
  /** By performance.now(): since when they are counted. */
  private replacedSince = 0

  constructor(replacedPerSecond: number) {
    this.replacedPerSecond = replacedPerSecond
  }

  get isEmpty(): boolean {
    return this.uses.size === 0 && this.held.size === 0
  }

  /** False when there is no room and nothing idle that could make some. */
  add(socket: Socket): boolean {
    if (this.uses.size >= PER_CLIENT) {
      const longestIdle = this.mayReplace() ? this.longestIdle() : undefined
      if (!longestIdle) return false
      this.remove(longestIdle)
      longestIdle.destroy()
    }
    this.uses.set(socket, { turn: ++turns })
    return true
  }

  remove(socket: Socket): void {
    this.uses.delete(socket)
    this.held.delete(socket)
  }

  refuse(socket: Socket): void {
    // Nobody else listens to it, and its end is no news.
    socket.on('error', () => undefined).pause()
    if (this.held.size >= MAX_HELD) {
      socket.resetAndDestroy()
      return
    }
    this.held.add(socket)
    setTimeout(() => socket.resetAndDestroy(), HELD_MS).unref()
  }

  private mayReplace(): boolean {
    const now = performance.now()
    if (now - this.replacedSince > 1_000) {
      this.replacedSince = now
      this.replaced = 0
    }
    return this.replaced++ < this.replacedPerSecond
  }

  use(socket: Socket, response: ServerResponse): void {
    const use = this.uses.get(socket)
    if (!use) return
    use.response = response
    use.turn = ++turns
  }

  private longestIdle(): Socket | undefined {
    let found: Socket | undefined
    let foundTurn = Number.POSITIVE_INFINITY
    for (const [socket, { response, turn }] of this.uses) {
      const isIdle = !response || response.writableFinished
      if (isIdle && turn < foundTurn) {
        found = socket
        foundTurn = turn
      }
    }
    return found
  }
}
