/** What a request is to the worker; null: none of its business, and the browser's alone. */
export type RequestKind = 'page' | 'data' | 'asset' | 'picture'

type Asked = Pick<Request, 'url' | 'method' | 'mode' | 'destination'>

const ownPicture = /^\/storage\/v1\/(object|render\/image)\/public\/images\//

/** Recordings, the API, everything with a body, and every other origin but our pictures' pass by untouched. */
export function kindOf({ url, method, mode, destination }: Asked, origin: string): RequestKind | null {
  if (method !== 'GET') return null
  const { pathname, origin: asked } = new URL(url)
  if (destination === 'image') return ownPicture.test(pathname) ? 'picture' : null
  if (asked !== origin) return null
  if (mode === 'navigate') return isProtocol(pathname) ? null : 'page'
  if (pathname.startsWith('/assets/')) return 'asset'
  return pathname.endsWith('.data') ? 'data' : null
}

const isProtocol = (pathname: string) => /^\/(auth|rest|storage)\/v1\//.test(pathname)

/** The page that the router's request for data belongs to. */
export function pageOfData(dataUrl: string): string {
  const { pathname, searchParams } = new URL(dataUrl)
  searchParams.delete('_routes')
  const path = pathname.replace(/\.data$/, '')
  const search = searchParams.size > 0 ? `?${searchParams}` : ''
  return (path === '/_root' ? '/' : path) + search
}

/** The built files that a page names: all it needs to look and work as it should. */
export const assetsIn = (html: string): string[] => [...new Set(html.match(/\/assets\/[\w.-]+/g) ?? [])]
