import type { StorageClient } from '@supabase/storage-js'
import * as z from 'zod/mini'
import { mediaAccess } from '#app/features/media/stored-files.ts'
import { findMember } from '#app/session/client/current-user-sync.ts'
import type { Library, LibraryAccess } from '#app/session/client/library.ts'
import { currentMember } from '#app/session/current-user.tsx'
import { openSession } from '#app/session/session.ts'
import { toast } from '#app/ui/toast.tsx'
import type { Category } from '#domain/resource.ts'
import { findOwnMedia, type OwnMedia } from './media-uses.ts'

/** What the deletion of a resource sends to the dashboard's action. */
export const deletionInput = z.object({
  intent: z.literal('delete'),
  id: z.string(),
  /** Its own files go when it goes for good. */
  freesMedia: z.optional(z.literal('yes')),
})

/** Whether it is gone; a new object for each try. */
export interface DeletionOutcome {
  isDeleted: boolean
}

/** Deletes a resource by its id (specification, section 7); the database keeps it for 30 days. Never throws. */
export async function deleteResource(input: z.infer<typeof deletionInput>): Promise<DeletionOutcome> {
  const { id, freesMedia } = input
  try {
    const { library } = await openSession()
    const { error, count } = await library.from('resources').delete({ count: 'exact' }).eq('id', id)
    if (error || count === 0) throw error ?? new Error('nothing was deleted')
    if (freesMedia) await library.from('deleted_resources').update({ frees_media: true }).eq('id', id)
    await refreshOwnList()
    return { isDeleted: true }
  } catch (error) {
    console.warn('The resource was not deleted:', error)
    return { isDeleted: false }
  }
}

/** What restoring a resource sends to the dashboard's action. */
export const restorationInput = z.object({
  intent: z.literal('restore'),
  id: z.string(),
  title: z.string(),
})

/** Brings a deleted resource back, with everybody's lists, and says how that went. */
export async function restoreResource({ id, title }: z.infer<typeof restorationInput>): Promise<null> {
  const { library } = await openSession()
  const { error } = await library.rpc('restore_resource', { id })
  if (!error) await refreshOwnList()
  toast(error ? problemIn(error) : `“${title}” is back in the library.`)
  return null
}

/** What was pressed to restore something is gone, so that it is pressed once; the next thing to read begins with the page. */
export function leaveForContent(): void {
  toast('')
  document.getElementById('content')?.focus({ preventScroll: true })
}

const problemIn = ({ code, message }: { code: string; message: string }) =>
  spoken.has(code) ? `${message}.` : 'This could not be restored. Please try again.'

/** The database's own words are meant for people: gone for good, its id in use again, no admin any more. */
const spoken = new Set(['PT404', '23505', '42501'])

/** Deleting and restoring change saved lists, the admin's own among them. */
async function refreshOwnList(): Promise<void> {
  const { library, changeMember } = await openSession()
  const member = currentMember()
  const now = member && (await findMember(library, member.id))
  if (now) changeMember({ savedResources: now.savedResources })
}

export interface DeletedResource {
  id: string
  title: string
  category: Category
  frees_media: boolean
  deleted_at: string
}

/** One page of what was deleted. */
export interface DeletedPage {
  resources: readonly DeletedResource[]
  /** On all pages together. */
  total: number
  /** From 1. */
  page: number
}

const DAYS_KEPT = 30
export const DELETED_PER_PAGE = 20

/** What was deleted before this moment cannot be restored any more. */
const expiry = () => new Date(Date.now() - DAYS_KEPT * 24 * 3600_000).toISOString()

/** Which page of it the dashboard's address asks for; the first, unless it names another one. */
export function deletedPageOf(search: URLSearchParams): number {
  const page = Number(search.get('deleted') ?? 1)
  return Number.isInteger(page) && page > 0 && page < 100_000 ? page : 1
}

/**
 * A page of what can still be restored, the last deleted first; the last page where that one is gone. Null when it
 * cannot be found out, which is only logged.
 */
export async function findDeleted(library: Library, page: number): Promise<DeletedPage | null> {
  const from = (page - 1) * DELETED_PER_PAGE
  const { data, count, error } = await library
    .from('deleted_resources')
    .select('id,title,category,frees_media,deleted_at', { count: 'exact' })
    .gt('deleted_at', expiry())
    .order('deleted_at', { ascending: false })
    .order('id')
    .range(from, from + DELETED_PER_PAGE - 1)
  // Whoever restores the last one of a page sees the page before it.
  if (page > 1 && (error ? error.code === OUT_OF_RANGE : data.length === 0))
    return findDeleted(library, page - 1)
  if (error) console.warn('What was deleted could not be loaded:', error.message)
  return error ? null : { resources: data, total: count ?? data.length, page }
}

/** PostgREST's code for an offset behind the last row. */
const OUT_OF_RANGE = 'PGRST103'

const AT_ONCE = 20

/**
 * Removes the files of what was deleted together with its files more than 30 days ago, unless something uses them by
 * now, and then the last trace of it. Only an admin can remove files, so it is done when one looks at the dashboard.
 * What fails is tried again the next time.
 */
export async function purgeDeleted(access: LibraryAccess): Promise<void> {
  const deleted = access.library.from('deleted_resources')
  const { data } = await deleted
    .select('id,image_url,audioUrl')
    .lt('deleted_at', expiry())
    .eq('frees_media', true)
    .limit(AT_ONCE)
  if (!data?.length) return
  const { storage } = mediaAccess(access.settings)
  for (const gone of data) {
    const isDone = await removeUnused(storage, await findOwnMedia(access, gone))
    if (isDone) await deleted.delete().eq('id', gone.id)
  }
}

/** Whether all of these files that nothing uses any more are gone. */
async function removeUnused(storage: StorageClient, media: OwnMedia[]): Promise<boolean> {
  const unused = media.filter(({ others }) => others.length === 0)
  const removals = unused.map(({ bucket, name }) => storage.from(bucket).remove([name]))
  return (await Promise.all(removals)).every(({ error }) => !error)
}
