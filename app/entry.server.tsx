import { Writable } from 'node:stream'
import type { ReactNode } from 'react'
import { type RenderToPipeableStreamOptions, renderToPipeableStream, renderToString } from 'react-dom/server'
import { type EntryContext, type RouterContextProvider, ServerRouter } from 'react-router'
import { ScriptNonce, servicesContext } from './session/site.ts'

// The server fills this in for each request; see server/site/render.ts.
export { servicesContext }

/**
 * Renders the whole page before answering: it is cached, compressed and sealed as one piece. Pages are rendered in one
 * go, because all that they show is there before (docs/decisions/0032-pages-rendered-in-one-go.md); a page that has to
 * wait for something after all, or fails, is rendered by the stream that can wait and knows what to do about errors.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
) {
  const { scriptNonce: nonce, takeHtml } = loadContext.get(servicesContext)
  let finalStatus = status
  const context = await withDataAtHand(routerContext)
  const page = () => (
    <ScriptNonce value={nonce}>
      <ServerRouter context={context()} url={request.url} nonce={nonce} />
    </ScriptNonce>
  )
  const html =
    renderAtOnce(page()) ??
    (await renderPatiently(page(), {
      nonce,
      onError: (error) => {
        finalStatus = 500
        console.error(error)
      },
    }))
  headers.set('Content-Type', 'text/html; charset=utf-8')
  takeHtml?.(html)
  return new Response(takeHtml ? null : html, { status: finalStatus, headers })
}

/**
 * The same context, as often as it is needed, with the data for the browser read already: React Router would let React
 * wait for it, piece by piece. The page comes out the same.
 */
async function withDataAtHand(context: EntryContext): Promise<() => EntryContext> {
  const value = await new Response(context.serverHandoffStream).text()
  const pieces = [
    { done: false, value },
    { done: true, value: '' },
  ]
  const read = pieces.map((result) => Object.assign(Promise.resolve(), { result }))
  return () => ({
    ...context,
    // For a React Router that does not look where this one does.
    serverHandoffStream: streamOf(value),
    renderMeta: { ...context.renderMeta, streamCache: { ...read } },
  })
}

const streamOf = (text: string): ReadableStream<Uint8Array> =>
  new ReadableStream(
    {
      pull(controller) {
        controller.enqueue(new TextEncoder().encode(text))
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )

/** Undefined where a part of the page could not be rendered without waiting, or failed. */
function renderAtOnce(page: ReactNode): string | undefined {
  try {
    const html = renderToString(page)
    return html.includes('<!--$!-->') ? undefined : `<!DOCTYPE html>${html}`
  } catch {
    return undefined
  }
}

/** Errors: what the page threw outside of all boundaries that wait. */
const renderPatiently = (page: ReactNode, options: RenderToPipeableStreamOptions) =>
  new Promise<string>((resolve, reject) => {
    const { pipe } = renderToPipeableStream(page, {
      ...options,
      // All of it is sent at once: nothing is put aside for a script to move into its place.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onShellError: reject,
      onAllReady() {
        const chunks: Uint8Array[] = []
        const gather = new Writable({
          write(chunk, _encoding, done) {
            chunks.push(chunk)
            done()
          },
          final(done) {
            resolve(Buffer.concat(chunks).toString())
            done()
          },
        })
        pipe(gather)
      },
    })
  })
