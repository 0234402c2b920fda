import { isRouteErrorResponse, type MetaDescriptor } from 'react-router'
import { siteName } from '#app/session/site.ts'

/** The head of a page that failed: a title that says so, and nothing to remember for search engines. */
export function errorMeta(error: unknown): MetaDescriptor[] {
  if (!error) return []
  const missing = isRouteErrorResponse(error) && error.status === 404
  return [
    { title: `${missing ? 'Page not found' : 'Something went wrong'} · ${siteName}` },
    { name: 'robots', content: 'noindex' },
  ]
}
