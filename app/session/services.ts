import { createContext } from 'react-router'

/** What every page may know about the site; the browser gets it with the first page. Nothing secret belongs here. */
export interface SiteSettings {
  /** Public address without a trailing slash, for canonical links. */
  siteUrl: string
  /** Where the browser finds the Supabase protocols: another origin in hosted mode, else the site's own. */
  apiUrl: string
  publishableKey: string
  contactEmail: string
  earlyAccess: boolean
  /** Who makes backups here; the dashboard says how they went. */
  backups: 'nightly' | 'off' | 'hosted'
}

/** What the server hands to loaders: the settings, and how to reach the API (in process, or over the network). */
export interface SiteServices {
  settings: SiteSettings
  api: { url: string; fetch: typeof fetch }
  /** Marks our own inline scripts while a page is rendered; the server turns it into hashes before sending. */
  scriptNonce: string
}

/** Set by the server for each request; read by loaders through `context.get(servicesContext)`. */
export const servicesContext = createContext<SiteServices>()
