import type { Hono } from 'hono'

/**
 * `fetch` that reaches handlers without a socket. As with a socket, whoever aborts waits no longer, and the handlers
 * learn of it by their request's signal. `bindings` are what handlers find in `c.env`. Errors: the reason of the signal.
 */
export const inProcessFetch =
  (handlers: Hono, bindings: object = {}): typeof fetch =>
  async (input, init) => {
    const request = new Request(input, init)
    const { signal } = request
    signal.throwIfAborted()
    const { promise: aborted, reject } = Promise.withResolvers<never>()
    const giveUp = () => reject(signal.reason)
    signal.addEventListener('abort', giveUp, { once: true })
    return Promise.race([handlers.fetch(request, bindings), aborted]).finally(() =>
      signal.removeEventListener('abort', giveUp),
    )
  }
