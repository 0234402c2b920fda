import { createContext } from 'react'
import { createContext as createRouterContext, useRouteLoaderData } from 'react-router'
import owner from '../../content/site.json' with { type: 'json' }

/** What the owner of the site edits in content/site.json. */
export const { description: siteDescription, legal, name: siteName, podcast, tagline, team } = owner

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
  /** Takes a page's HTML from where it is rendered, past the streams of the web platform. */
  takeHtml?: (html: string) => void
}

/** Set by the server for each request; read by loaders through `context.get(servicesContext)`. */
export const servicesContext = createRouterContext<SiteServices>()

/** What every page may know about the site; the root loader brings it with the first page. */
export function useSettings(): SiteSettings {
  const settings = useRouteLoaderData<SiteSettings>('root')
  if (!settings) throw new Error('useSettings needs the root loader')
  return settings
}

/**
 * Marks our own inline scripts while the server renders a page; undefined in the browser, which must never learn it:
 * a script with this mark gets into the page's security policy.
 */
export const ScriptNonce = createContext<string | undefined>(undefined)

export type Origins = Pick<SiteSettings, 'siteUrl' | 'apiUrl'>

/**
 * The full address of a path of ours, or of an address that an admin typed; undefined when it is none.
 * Our own pictures and recordings are kept without an origin (design, section 6): they live where the API does.
 */
export function absoluteAddress(address: string, { siteUrl, apiUrl }: Origins): string | undefined {
  try {
    const { protocol, href } = new URL(address, address.startsWith('/storage/') ? apiUrl : siteUrl)
    return protocol === 'https:' || protocol === 'http:' ? href : undefined
  } catch {
    return undefined
  }
}
