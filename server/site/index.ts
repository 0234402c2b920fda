import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import type { Admission } from '#server/http/admission.ts'
import { Busy } from '#server/http/fair-gate.ts'
import type { Site } from './build.ts'
import { busyAnswer } from './busy-page.ts'
import type { ContentWatch } from './content-watch.ts'
import { MAX_ADDRESS_LENGTH, type PageCache, pageKey, pathWithoutLineBreaks } from './page-cache.ts'
import { deliver } from './page-delivery.ts'
import { createRender, type RenderServices } from './render.ts'
import { sealPage, unsealed } from './seal-page.ts'

interface SiteDeps {
  services: Omit<RenderServices, 'scriptNonce'>
  site: Site
  cache: PageCache
  watch: ContentWatch
  admission: Admission
  /** Only in hosted mode: the project that browsers call besides us. */
  hostedUrl?: string | undefined
}

/** Hands requests to the built site, through the page cache. */
export function createSite({ services, site, cache, watch, admission, hostedUrl }: SiteDeps): Hono {
  const scriptNonce = randomUUID()
  const { origin } = new URL(services.settings.siteUrl)
  const render = createRender(site, { ...services, scriptNonce })
  const seal =
    site.mode === 'production' ? sealPage(scriptNonce, hostedUrl && new URL(hostedUrl).origin) : unsealed
  const pages = new Hono()
  pages.on(['GET', 'HEAD'], '*', async (c) => {
    const url = new URL(c.req.url)
    if (c.req.url.length > MAX_ADDRESS_LENGTH) return c.text('This address is too long.', 414)
    const plainPath = pathWithoutLineBreaks(url)
    if (plainPath !== undefined) return c.redirect(plainPath + url.search, 301)
    await watch.upToDate()
    const key = pageKey(url)
    // The page is rendered from its key alone, so nothing that is not in the key can be in the page. The key is a path,
    // even one that begins like a host (`//elsewhere`).
    const address = origin + key
    const client = admission.clientOf(c)
    const page = await cache.get(
      key,
      async () => seal(await render(new Request(address), client)),
      (work) => admission.renders.run(client, work, () => c.req.raw.signal),
    )
    return deliver(page, c.req.raw)
  })
  pages.onError((error, c) => {
    if (!(error instanceof Busy)) throw error
    return busyAnswer(c.req.raw, error.retryAfter)
  })
  pages.all('*', (c) => c.text('Method not allowed', 405, { allow: 'GET, HEAD' }))
  return pages
}
