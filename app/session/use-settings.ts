import { useRouteLoaderData } from 'react-router'
import type { SiteSettings } from './services.ts'

/** What every page may know about the site; the root loader brings it with the first page. */
export function useSettings(): SiteSettings {
  const settings = useRouteLoaderData<SiteSettings>('root')
  if (!settings) throw new Error('useSettings needs the root loader')
  return settings
}
