/** Pages whose data the browser asks for through a client loader, by the id of their route. */
const routes = [
  { path: /^\/resources(\/\w+)?$/, id: 'routes/listing' },
  { path: /^\/resource\/[^/]+$/, id: 'routes/detail' },
] as const

/** Where the router will ask for a page's data; null for pages that it fetches ahead by itself, or that are not ours. */
export function dataAddress(link: string, here: string): string | null {
  const url = URL.canParse(link, here) ? new URL(link, here) : null
  const route = url && routes.find(({ path }) => path.test(url.pathname))
  if (!url || !route || url.origin !== new URL(here).origin) return null
  const search = new URLSearchParams(url.search)
  search.set('_routes', route.id)
  return `${url.pathname}.data?${search}`
}
