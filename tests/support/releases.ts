import { createServer } from 'node:http'

/**
 * Stands in front of a running service and shows it as one release after another: the same pages, with a service worker
 * of another name. Stopping it is a real loss of the network.
 */
export async function startReleases(target: string) {
  let name = ''
  const server = createServer(async (request, response) => {
    const answer = await fetch(target + request.url, { redirect: 'manual' })
    const headers = Object.fromEntries(answer.headers)
    for (const hop of ['content-encoding', 'content-length', 'transfer-encoding']) delete headers[hop]
    const bytes = Buffer.from(await answer.arrayBuffer())
    const isWorker = request.url === '/service-worker.js'
    response.writeHead(answer.status, headers)
    // The release is the one literal of twelve hexadecimal digits.
    response.end(isWorker ? bytes.toString().replace(/\b[\da-f]{12}\b/, (release) => release + name) : bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    next() {
      name += '-next'
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
