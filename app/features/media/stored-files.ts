import { StorageClient } from '@supabase/storage-js'
import { useEffect, useState } from 'react'
import type { Library } from '#app/session/client/library.ts'
import { openSession } from '#app/session/session.ts'
import type { SiteSettings } from '#app/session/site.ts'
import {
  addressOfFile,
  DUPLICATE_LIMIT,
  type MediaKind,
  mediaRules,
  PICKER_LIMIT,
  pathOfFile,
} from '#domain/media/rules.ts'

/** A file that can be picked. */
export interface StoredFile {
  name: string
  /** As it is kept with a resource. */
  address: string
}

const bucketOf = ({ storage }: MediaAccess, kind: MediaKind) => storage.from(mediaRules[kind].bucket)

/** The newest files, as many as a picker shows, or all that are looked at. Throws with the server's message. */
async function listFiles(
  access: MediaAccess,
  kind: MediaKind,
  wantsAll: boolean,
): Promise<{ files: StoredFile[]; isAll: boolean }> {
  const { bucket, folder } = mediaRules[kind]
  const limit = wantsAll ? DUPLICATE_LIMIT : PICKER_LIMIT
  const sortBy = { column: 'created_at', order: 'desc' }
  const { data, error } = await bucketOf(access, kind).list(folder, { limit, sortBy })
  if (error) throw new Error(error.message)
  // Folders have no id; a hosted project marks empty ones with a file whose name begins with a dot.
  const files = data
    .filter(({ id, name }) => id !== null && !name.startsWith('.'))
    .map(({ name }) => ({ name, address: addressOfFile(bucket, pathOfFile(kind, name)) }))
  return { files, isAll: data.length < limit }
}

/** Whether a file of that name is there already. Throws with the server's message. */
export async function isNameTaken(access: MediaAccess, kind: MediaKind, name: string): Promise<boolean> {
  const { data, error } = await bucketOf(access, kind).list(mediaRules[kind].folder, {
    limit: DUPLICATE_LIMIT,
  })
  if (error) throw new Error(error.message)
  return data.some((file) => file.name === name)
}

/** Removes a file for good. Throws with the server's message. */
export async function removeFile(access: MediaAccess, kind: MediaKind, name: string): Promise<void> {
  const { data, error } = await bucketOf(access, kind).remove([pathOfFile(kind, name)])
  if (error) throw new Error(error.message)
  if (data.length === 0) throw new Error('The file was not found.')
}

/** Which resources show a file; undefined when that cannot be found out. */
export async function usesOf(access: MediaAccess, address: string): Promise<MediaUse[] | undefined> {
  try {
    return await findMediaUses(await access.library(), address)
  } catch (error) {
    console.warn('Where a file is used is not known:', error)
    return undefined
  }
}

interface Loaded {
  files: StoredFile[]
  /** There are no others. */
  isAll: boolean
}

const byName = (search: string) => {
  const wanted = search.trim().toLowerCase()
  return ({ name }: StoredFile) => name.toLowerCase().includes(wanted)
}

/** The stored files of a kind, newest first, as a picker shows them. @param onFailed gets the server's message */
export function useStoredFiles(kind: MediaKind, session: MediaAccess, onFailed: (message: string) => void) {
  const [loaded, setLoaded] = useState<Loaded | 'failed'>()
  const [search, setSearch] = useState('')
  const [wantsAll, setWantsAll] = useState(false)

  useEffect(() => {
    let isCurrent = true
    listFiles(session, kind, wantsAll).then(
      (found) => isCurrent && setLoaded(found),
      (error: Error) => {
        if (!isCurrent) return
        setLoaded((before) => before ?? 'failed')
        onFailed(error.message)
      },
    )
    return () => {
      isCurrent = false
    }
  }, [session, kind, wantsAll, onFailed])

  const { files, isAll } = loaded && loaded !== 'failed' ? loaded : { files: [], isAll: false }
  const found = files.filter(byName(search))
  return {
    state: loaded === undefined ? 'loading' : loaded === 'failed' ? 'failed' : 'loaded',
    search,
    shown: found.slice(0, PICKER_LIMIT),
    /** There may be more than are shown. */
    hasMore: found.length > PICKER_LIMIT || (!isAll && !search),
    seek(text: string) {
      setSearch(text)
      // The newest are there already; only whoever looks for an older one waits for all names.
      if (text.trim() && !isAll) setWantsAll(true)
    },
    drop: (name: string) => setLoaded({ files: files.filter((file) => file.name !== name), isAll }),
  } as const
}

/** Files, and what the library knows of them, with an admin's rights. */
export interface MediaAccess {
  settings: SiteSettings
  storage: StorageClient
  library(): Promise<Library>
  /** The admin's token, for calls that no client makes. @param renew when the one before was refused */
  token(renew?: boolean): Promise<string>
}

/** For pages where files are chosen. Asks nothing before it is used. */
export const mediaAccess = (settings: SiteSettings): MediaAccess => ({
  settings,
  storage: new StorageClient(
    `${settings.apiUrl}/storage/v1`,
    { apikey: settings.publishableKey },
    async (input, init) => (await openSession()).fetch(input, init),
  ),
  library: async () => (await openSession()).library,
  async token(renew = false) {
    const { client } = await openSession()
    const { data } = renew ? await client.refreshSession() : await client.getSession()
    return data.session?.access_token ?? ''
  },
})

/** A resource that shows or plays a stored file. */
export interface MediaUse {
  id: string
  title: string
  /** It was deleted, and can still be restored: then it shows the file again. */
  isDeleted: boolean
}

/** Which resources use the file at an address of our own storage, in the order of their titles. Errors: the library's. */
export async function findMediaUses(library: Library, address: string): Promise<MediaUse[]> {
  const { data: uses, error } = await library.rpc('media_uses', { address })
  if (error) throw error
  const deleted = new Set<string>()
  for (let from = 0; from < uses.length; from += IDS_PER_QUERY) {
    const ids = uses.slice(from, from + IDS_PER_QUERY).map(({ id }) => id)
    const found = await library.from('deleted_resources').select('id').in('id', ids)
    if (found.error) throw found.error
    for (const { id } of found.data) deleted.add(id)
  }
  return uses.map((use) => ({ ...use, isDeleted: deleted.has(use.id) }))
}

/** An address of a query may be some 8,000 characters long. */
const IDS_PER_QUERY = 100
