import { renderToReadableStream } from 'react-dom/server'
import { type EntryContext, type RouterContextProvider, ServerRouter } from 'react-router'
import { ScriptNonce, servicesContext } from './session/site.ts'

// The server fills this in for each request; see server/site/render.ts.
export { servicesContext }

/** Renders the whole page before answering: it is cached, compressed and sealed as one piece. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
) {
  const nonce = loadContext.get(servicesContext).scriptNonce
  let finalStatus = status
  const body = await renderToReadableStream(
    <ScriptNonce value={nonce}>
      <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
    </ScriptNonce>,
    {
      nonce,
      onError: (error) => {
        finalStatus = 500
        console.error(error)
      },
    },
  )
  await body.allReady
  headers.set('Content-Type', 'text/html; charset=utf-8')
  return new Response(body, { status: finalStatus, headers })
}
