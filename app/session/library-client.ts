import { PostgrestClient } from '@supabase/postgrest-js'
import type { Database } from './database-types.ts'
import type { SiteServices } from './services.ts'

/** Access to the library's data with the rights of whoever the client was made for. */
export type Library = PostgrestClient<Database>

/** A page that waits longer than this for its data says instead that the library cannot be reached. */
const TIMEOUT_MS = 10_000

/**
 * The library as a visitor sees it, for loaders. It does not try again by itself: a reader should be told at once that
 * something is wrong, and may retry.
 */
export const serverLibrary = ({ settings, api }: Pick<SiteServices, 'settings' | 'api'>): Library =>
  new PostgrestClient<Database>(`${api.url}/rest/v1`, {
    headers: { apikey: settings.publishableKey },
    fetch: api.fetch,
    timeout: TIMEOUT_MS,
    retry: false,
  })
