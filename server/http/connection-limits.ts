import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from './client-address.ts'

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

/**
 * Bounds the connections of the server, in number, by client and in silence. A client that opens more than its share
 * loses the one that was idle for longest, which browsers replace without a word; a new one is refused only when all of
 * them are in use. Behind proxies of ours (TRUST_PROXY) all connections are theirs: counting clients is theirs too.
 */
export function limitConnections(server: Server, { trustedProxies }: { trustedProxies: number }): void {
  server.maxConnections = MAX_CONNECTIONS
  server.setTimeout(SILENCE_MS)
  if (trustedProxies > 0) return
  const clients = new Map<string, Connections>()
  const connectionsOf = new WeakMap<Socket, Connections>()
  server.on('connection', (socket: Socket) => {
    const client = networkOf(socket.remoteAddress)
    const connections = clients.get(client) ?? new Connections()
    clients.set(client, connections)
    if (!connections.add(socket)) {
      socket.destroy()
      return
    }
    connectionsOf.set(socket, connections)
    socket.once('close', () => {
      connections.remove(socket)
      if (connections.size === 0 && clients.get(client) === connections) clients.delete(client)
    })
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
  private readonly uses = new Map<Socket, Use>()

  get size(): number {
    return this.uses.size
  }

  /** False when there is no room and nothing idle that could make some. */
  add(socket: Socket): boolean {
    if (this.size >= PER_CLIENT) {
      const longestIdle = this.longestIdle()
      if (!longestIdle) return false
      this.remove(longestIdle)
      longestIdle.destroy()
    }
    this.uses.set(socket, { turn: ++turns })
    return true
  }

  remove(socket: Socket): void {
    this.uses.delete(socket)
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
