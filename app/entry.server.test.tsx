import { lazy, Suspense } from 'react'
import { renderToReadableStream } from 'react-dom/server'
import {
  createRequestHandler,
  type EntryContext,
  Outlet,
  RouterContextProvider,
  Scripts,
  type ServerBuild,
  ServerRouter,
  useLoaderData,
} from 'react-router'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import handleRequest, { servicesContext } from './entry.server.tsx'
import { ScriptNonce } from './session/site.ts'

const NONCE = 'once'
const settings = {
  ...{ siteUrl: 'http://site.test', apiUrl: 'http://site.test', publishableKey: 'key' },
  ...{ contactEmail: 'hello@site.test', earlyAccess: true, backups: 'off' as const },
}

const Shell = () => (
  <html lang="en">
    <body>
      <Outlet />
      <Scripts />
    </body>
  </html>
)
const Letter = () => <p>Dear {useLoaderData<{ name: string }>().name},</p>

/** A site of one page, as React Router's plugin for Vite would write it down. */
function siteWith(Page: () => React.ReactNode, handler: unknown = handleRequest): ServerBuild {
  const route = { hasAction: false, hasLoader: true, hasErrorBoundary: false, module: '/page.js' }
  const client = { hasClientAction: false, hasClientLoader: false, hasClientMiddleware: false }
  const parts = {
    clientActionModule: undefined,
    clientLoaderModule: undefined,
    hydrateFallbackModule: undefined,
  }
  const shown = { ...route, ...client, ...parts, clientMiddlewareModule: undefined, imports: [], css: [] }
  return {
    ...{ basename: '/', publicPath: '/', assetsBuildDirectory: '', future: {}, ssr: true, isSpaMode: false },
    ...{ prerender: [], routeDiscovery: { mode: 'initial' }, allowedActionOrigins: false },
    entry: { module: { default: handler } },
    routes: {
      root: { id: 'root', path: '', module: { default: Shell } },
      page: {
        ...{ id: 'page', parentId: 'root', path: 'page' },
        module: { default: Page, loader: () => ({ name: '</script><b>Ann' }) },
      },
    },
    assets: {
      ...{ version: '1', url: '/manifest.js', entry: { module: '/entry.js', imports: [] } },
      routes: {
        root: { id: 'root', path: '', ...shown, hasLoader: false },
        page: { id: 'page', parentId: 'root', path: 'page', ...shown },
      },
    },
  } as unknown as ServerBuild
}

/** What the server takes over, and the answer. */
async function render(build: ServerBuild) {
  const takeHtml = vi.fn<(html: string) => void>()
  const context = new RouterContextProvider()
  context.set(servicesContext, { settings, api: { url: '', fetch }, scriptNonce: NONCE, takeHtml })
  const answer = await createRequestHandler(build, 'production')(
    new Request('http://site.test/page'),
    context,
  )
  return { html: takeHtml.mock.lastCall?.[0], answer }
}

/** As React Router's own documentation renders a page. */
const stock = async (request: Request, status: number, headers: Headers, context: EntryContext) => {
  const body = await renderToReadableStream(
    <ScriptNonce value={NONCE}>
      <ServerRouter context={context} url={request.url} nonce={NONCE} />
    </ScriptNonce>,
    { nonce: NONCE },
  )
  await body.allReady
  return new Response(body, { status, headers })
}

describe('rendering a page', () => {
  it('gives the same page as rendering it piece by piece', async () => {
    const { html } = await render(siteWith(Letter))
    const { answer } = await render(siteWith(Letter, stock))
    expect(html).toContain('Dear <!-- -->&lt;/script&gt;&lt;b&gt;Ann')
    expect(html).toContain('streamController.close()')
    expect(html).toBe(await answer.text())
  })

  it('waits for what a page loads only when it is shown', async () => {
    const Late = lazy(async () => ({ default: () => <p>late</p> }))
    const page = siteWith(() => (
      <Suspense fallback="soon">
        <Late />
      </Suspense>
    ))
    const { html: first } = await render(page)
    const { html: second } = await render(page)
    expect(first).toMatch(/^<!DOCTYPE html>.*<p>late<\/p>/)
    expect(first).not.toContain('soon')
    expect(second).toBe(first)
  })

  it('answers 500 for a page of which a part failed', async () => {
    const silent = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    onTestFinished(() => silent.mockRestore())
    const { answer } = await render(
      siteWith(() => {
        throw new Error('broken')
      }),
    )
    expect(answer.status).toBe(500)
  })
})
