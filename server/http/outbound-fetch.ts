const PATIENCE_MS = 10_000
const MAX_BYTES = 1024 * 1024
const NO_BODY: ReadonlySet<number> = new Set([101, 204, 205, 304])

/**
 * `fetch` for servers of others: ten seconds and one megabyte at most, and never further than the address that was
 * meant, because a redirect could lead into the network behind us. A redirect is an answer with status 3xx.
 */
export const outboundFetch = async (address: string | URL, init: RequestInit = {}): Promise<Response> => {
  const patience = AbortSignal.timeout(PATIENCE_MS)
  const signal = init.signal ? AbortSignal.any([init.signal, patience]) : patience
  const response = await fetch(address, { ...init, redirect: 'manual', signal })
  const { status, statusText, headers } = response
  const body = NO_BODY.has(status) ? null : await read(response)
  return new Response(body, { status, statusText, headers })
}

async function read(response: Response): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  // A small answer that is compressed may be a large one: what counts is what comes out.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > MAX_BYTES) throw new Error(`the answer is larger than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  return new Blob(chunks, { type: response.headers.get('content-type') ?? '' })
}
