import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'

/** A proxy as it stands in front of several processes: each request goes to the next of them. */
export interface RoundRobin {
  url: string
  /** Where requests go from now on. */
  serve(targets: readonly string[]): void
  stop(): Promise<void>
}

/** Starts it on a free port of 127.0.0.1. Nobody at home: the next one is asked; a connection that breaks: 502. */
export async function startRoundRobin(): Promise<RoundRobin> {
  let targets: readonly string[] = []
  let turn = 0
  const server = createServer((incoming, answer) => {
    turn++
    forward(incoming, answer, [
      ...targets.slice(turn % targets.length),
      ...targets.slice(0, turn % targets.length),
    ])
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    serve(next) {
      targets = next
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function forward(incoming: IncomingMessage, answer: ServerResponse, [target, ...others]: readonly string[]) {
  if (!target) return void answer.writeHead(502).end()
  const headers = {
    ...incoming.headers,
    'x-forwarded-for': [incoming.headers['x-forwarded-for'], incoming.socket.remoteAddress]
      .filter(Boolean)
      .join(', '),
  }
  const outgoing = request(`${target}${incoming.url}`, { method: incoming.method, headers, agent: false })
  // Only once somebody is there: a body that was read cannot be sent to the next one.
  outgoing.once('socket', (socket) => socket.once('connect', () => incoming.pipe(outgoing)))
  outgoing.once('response', (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers)
    response.pipe(answer)
    response.once('error', () => answer.destroy())
  })
  outgoing.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNREFUSED') forward(incoming, answer, others)
    else if (answer.headersSent) answer.destroy()
    else answer.writeHead(502).end()
  })
}
