import { createServer } from 'node:http'
import { AggregatorRegistry } from 'prom-client'
import { SetupError } from '#server/config/env.ts'

/** How to read all metrics of this process, or of all its workers. */
interface Source {
  contentType: string
  read(): Promise<string>
}

/** The workers' metrics together: sums of what they count, and the largest of what they all read. */
export function metricsOfWorkers(): Source {
  const registry = new AggregatorRegistry()
  return { contentType: registry.contentType, read: () => registry.clusterMetrics() }
}

/**
 * Serves `GET /metrics` to this machine alone: what stands there is nobody else's business, and Prometheus, or an agent
 * of it, runs beside us. Returns how to end it. Errors: SetupError for a port that is taken.
 */
export async function serveMetrics(
  port: number,
  { contentType, read }: Source,
): Promise<() => Promise<void>> {
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics' || request.method !== 'GET') {
      response.writeHead(404).end('Only GET /metrics is here.\n')
      return
    }
    const text = await read().catch(() => undefined)
    if (text === undefined) response.writeHead(503).end('No figures at the moment.\n')
    else response.writeHead(200, { 'content-type': contentType }).end(text)
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', (cause: NodeJS.ErrnoException) => {
    const isTaken = cause.code === 'EADDRINUSE'
    reject(
      isTaken ? new SetupError(`Port ${port} is taken. Set METRICS_PORT to another one.`, { cause }) : cause,
    )
  })
  server.listen(port, '127.0.0.1', resolve)
  await promise
  return async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  }
}
