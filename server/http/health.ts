import { Hono } from 'hono'

/** `GET /healthz`: the process is up. `GET /readyz`: it can serve, which `check` proves by not rejecting. */
export function createHealth(check: () => Promise<void>): Hono {
  const health = new Hono()
  health.get('/healthz', (c) => c.json({ status: 'ok' }))
  health.get('/readyz', async (c) => {
    const problem = await check().then(
      () => undefined,
      (error: Error) => error.message,
    )
    return problem ? c.json({ status: 'unavailable', problem }, 503) : c.json({ status: 'ready' })
  })
  return health
}
