import pg from 'pg'

/** After this long a cancellation has got lost; the connection is then cut. */
const CANCEL_TIMEOUT_MS = 2_000

/** What the driver has beyond its types: its own Client.cancel() knows no TLS. */
interface CancelConnection extends pg.Connection {
  connect(port: number | string, host?: string): void
  requestSsl(): void
  cancel(processId: number, secretKey: number): void
}
interface Cancellable {
  processID: number
  secretKey: number
}

/**
 * Asks the server to stop what a connection is doing (the protocol's CancelRequest, on a connection of its own).
 * Resolves when the server has passed it on, or cannot be reached: whoever uses the connection next is safe from it.
 */
export function cancelQuery(client: pg.PoolClient): Promise<void> {
  const { host, port, ssl } = client
  const { processID, secretKey } = client as pg.PoolClient & Cancellable
  const connection = new pg.Connection({ ssl }) as CancelConnection
  const send = () => connection.cancel(processID, secretKey)
  return new Promise((resolve) => {
    const timeout = setTimeout(() => connection.stream.destroy(), CANCEL_TIMEOUT_MS)
    connection.on('connect', ssl ? () => connection.requestSsl() : send)
    connection.on('sslconnect', send)
    connection.on('error', () => connection.stream.destroy())
    connection.on('end', () => {
      clearTimeout(timeout)
      resolve()
    })
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`)
    else connection.connect(port, host)
  })
}
