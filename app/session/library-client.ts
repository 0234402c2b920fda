import { PostgrestClient } from '@supabase/postgrest-js'
import type { Database } from './database-types.ts'
import type { Member } from './reader.ts'
import type { SiteServices, SiteSettings } from './services.ts'

/** Access to the library's data with the rights of whoever the client was made for. */
export type Library = PostgrestClient<Database>

/** The library, and what of it is asked for: visitors ask for public rows only (specification, section 6). */
export interface LibraryAccess {
  library: Library
  settings: SiteSettings
  reads: 'public' | 'all'
}

/** The library with a member's rights. */
export interface MemberAccess extends LibraryAccess {
  member: Member
}

/** A page that waits longer than this for its data says instead that the library cannot be reached. */
const TIMEOUT_MS = 10_000

/**
 * The library as a visitor sees it, for loaders. It does not try again by itself: a reader should be told at once that
 * something is wrong, and may retry.
 */
export const serverLibrary = ({ settings, api }: Pick<SiteServices, 'settings' | 'api'>): Library =>
  openLibrary(api.url, settings, api.fetch)

/** The library for a member's browser. @param asMember puts the member's token on each call */
export const memberLibrary = (settings: SiteSettings, asMember: typeof fetch): Library =>
  openLibrary(settings.apiUrl, settings, asMember)

const openLibrary = (url: string, { publishableKey }: SiteSettings, fetchLibrary: typeof fetch): Library =>
  new PostgrestClient<Database>(`${url}/rest/v1`, {
    headers: { apikey: publishableKey },
    fetch: fetchLibrary,
    timeout: TIMEOUT_MS,
    retry: false,
  })

/** For loaders on the server, which never know a member. */
export const visitorAccess = (services: Pick<SiteServices, 'settings' | 'api'>): LibraryAccess => ({
  library: serverLibrary(services),
  settings: services.settings,
  reads: 'public',
})
