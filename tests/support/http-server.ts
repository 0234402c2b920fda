import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

/** A request as a real server received it. */
export interface Received {
  path: string
  headers: IncomingMessage['headers']
  body: string
}

interface Answer {
  status?: number
  json?: unknown
  headers?: Record<string, string>
}

/** A real HTTP server on a free port of 127.0.0.1 that stands for a service of somebody else's. */
export async function startHttpServer(answer: (received: Received) => Answer | Promise<Answer>) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const item = { path: request.url ?? '', headers: request.headers, body: await text(request) }
    received.push(item)
    const { status = 200, json = {}, headers = {} } = await answer(item)
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(json))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
