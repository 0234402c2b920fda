import { gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ServerProcess } from '#tests/support/server-process.ts'
import { startSite } from '#tests/support/site-server.ts'

let server: ServerProcess
beforeAll(async () => {
  server = await startSite({ env: { STARTER_CONTENT: 'off' } })
}, 120_000)
afterAll(() => server?.remove())

const get = (path: string) => fetch(new URL(path, server.url))

it('the manifest names a page to start with, and icons that are what it says, one of them maskable', async () => {
  const manifest = await (await get('/site.webmanifest')).json()
  expect(manifest).toMatchObject({ id: '/', scope: '/', display: 'standalone', theme_color: '#ea580c' })
  expect((await get(manifest.start_url)).status).toBe(200)
  expect(manifest.icons.some(({ purpose }: { purpose?: string }) => purpose === 'maskable')).toBe(true)
  for (const { src, sizes, type } of manifest.icons) {
    const answer = await get(src)
    expect(answer.headers.get('content-type'), src).toContain(type)
    if (sizes === 'any') continue
    const { width, height } = await sharp(await answer.arrayBuffer()).metadata()
    expect([src, `${width}x${height}`]).toEqual([src, sizes])
  }
})

it('the service worker may see the whole site, is asked for anew each time, and is small', async () => {
  const answer = await get('/service-worker.js')
  expect(answer.headers.get('content-type')).toContain('javascript')
  expect(answer.headers.get('cache-control')).toBe('no-cache')
  expect(gzipSync(await answer.text()).length).toBeLessThan(5_000)
})

it('no page loads the worker or what belongs to it by itself', async () => {
  const html = await (await get('/')).text()
  expect(html).not.toMatch(/service-worker|keep-this-page|keep-saved/)
})

it('the page for when there is no network is not for search engines', async () => {
  const html = await (await get('/offline')).text()
  expect(html).toContain('You are offline')
  expect(html).toMatch(/<meta name="robots" content="noindex/)
})
