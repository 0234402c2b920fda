import { connect, createServer, type Socket } from 'node:net'

/** A stretch of network before a server, which a test can cut without a word to either end. */
export interface Network {
  /** The server's address, through this network. */
  url: string
  /** From now on everything that is sent is swallowed: no answer, no goodbye, and new connections stay open unanswered. */
  swallow(): void
  /** Lets everything through again. What was swallowed, and the connections of that time, are lost. */
  restore(): void
  /** How often somebody sent something and then waited for the answer, since the last call. */
  roundTrips(): number
  close(): Promise<void>
}

/** Opens a network before the server of a `postgres:` address. */
export async function openNetwork(serverUrl: string): Promise<Network> {
  const target = new URL(serverUrl)
  const sockets = new Set<Socket>()
  let swallows = false
  let trips = 0
  let lastSpeaker: 'client' | 'server' = 'server'

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    // A connection of the time of silence stays silent: neither end ever hears of the other again.
    let isLost = swallows
    const pass = (speaker: typeof lastSpeaker, from: Socket, to: Socket) => {
      sockets.add(from)
      from.on('data', (bytes) => {
        if (speaker === 'client' && lastSpeaker === 'server') trips++
        lastSpeaker = speaker
        isLost ||= swallows
        if (!isLost) to.write(bytes)
      })
      from.on('error', () => undefined)
      from.on('close', () => {
        sockets.delete(from)
        if (!isLost && !swallows) to.destroy()
      })
    }
    pass('client', client, upstream)
    pass('server', upstream, client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the network has no port')
  const url = new URL(serverUrl)
  url.port = String(address.port)
  return {
    url: url.href,
    swallow() {
      swallows = true
    },
    restore() {
      swallows = false
    },
    roundTrips() {
      const counted = trips
      trips = 0
      return counted
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}
