import { PostgrestClient } from '@supabase/postgrest-js'
import type { Category, Resource, ResourceSummary } from '#domain/resource.ts'
import type { AdminAccess, Member } from '../current-user.tsx'
import type { SiteServices, SiteSettings } from '../site.ts'

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

/** A row as the database gives it: the resource, and the ends of its grade as numbers. */
type ResourceRow = { [column in keyof Resource]: Resource[column] } & {
  grade_low: number | null
  grade_high: number | null
}

/** A member's own row. */
type UserRow = {
  id: string
  email: string | null
  name: string | null
  avatar: string | null
  role: 'admin' | 'member'
  savedResources: string[]
  created_at: string
  updated_at: string
}

/** What narrows a listing, as the database's functions take it. */
type ListingFilters = {
  of_category?: string | undefined
  in_grade?: number | undefined
  of_genders?: string[] | undefined
  at_location?: string | undefined
}

/** What was deleted and can be restored (supabase/migrations/…0700). */
type DeletedResourceRow = {
  id: string
  title: string
  category: Category
  image_url: string | null
  audioUrl: string | null
  frees_media: boolean
  deleted_at: string
}

/** How a nightly backup went (supabase/migrations/…50000). */
type BackupRunRow = {
  started_at: string
  outcome: 'running' | 'verified' | 'checked' | 'failed'
  bytes: number | null
  resources: number | null
  files: number | null
  missing_files: number | null
  message: string
}

/** One of the places where the caller is signed in. */
export type OwnSession = {
  id: string
  created_at: string
  refreshed_at: string | null
  user_agent: string | null
  address_range: string | null
  aal: string | null
  current: boolean
}

// Type aliases, not interfaces: the client asks for types that fit `Record<string, unknown>`.
/** The part of the schema (supabase/migrations) that the site reads, in the form the Supabase clients know. */
type Database = {
  public: {
    Tables: {
      resources: {
        Row: ResourceRow
        Insert: Partial<Resource>
        Update: Partial<Resource>
        Relationships: []
      }
      users: {
        Row: UserRow
        Insert: Pick<UserRow, 'id' | 'email' | 'name'>
        Update: Partial<Pick<UserRow, 'name' | 'avatar'>>
        Relationships: []
      }
      backup_runs: {
        Row: BackupRunRow
        Insert: never
        Update: never
        Relationships: []
      }
      deleted_resources: {
        Row: DeletedResourceRow
        Insert: never
        Update: Pick<DeletedResourceRow, 'frees_media'>
        Relationships: []
      }
    }
    Views: Record<never, never>
    Functions: {
      search_resources: { Args: ListingFilters & { words: string; most?: number }; Returns: ResourceRow[] }
      search_page: {
        Args: ListingFilters & { words: string; page: number; size: number }
        Returns: { total: number; resources: ResourceSummary[] }
      }
      count_resources: { Args: ListingFilters & { words?: string | undefined }; Returns: number }
      resource_locations: { Args: Pick<ListingFilters, 'of_category'>; Returns: string[] }
      save_resource: { Args: { resource_id: string }; Returns: string[] | null }
      unsave_resource: { Args: { resource_id: string }; Returns: string[] | null }
      restore_resource: { Args: { id: string }; Returns: null }
      media_uses: { Args: { address: string }; Returns: { id: string; title: string }[] }
      storage_usage: {
        Args: Record<never, never>
        Returns: { bucket: string; files: number; bytes: number }[]
      }
      unsent_messages: {
        Args: Record<never, never>
        Returns: {
          id: string
          channel: 'email' | 'sms'
          recipient: string | null
          kind: string | null
          reason: string | null
          given_up: boolean
          attempts: number
          written_at: string
        }[]
      }
      retry_message: { Args: { id: string }; Returns: null }
      export_account: { Args: Record<never, never>; Returns: { [part: string]: unknown } }
      admin_access: { Args: Record<never, never>; Returns: AdminAccess }
      own_sessions: { Args: Record<never, never>; Returns: OwnSession[] }
      end_own_session: { Args: { id: string }; Returns: boolean }
      delete_account: { Args: Record<never, never>; Returns: null }
    }
  }
}
