import { useCallback, useEffect, useState } from 'react'
import type { MediaAccess } from '#app/session/member/media-access.ts'
import { type MediaKind, PICKER_LIMIT } from '#domain/media/rules.ts'
import { listFiles, type StoredFile } from './stored-files.ts'

const byName = (search: string) => {
  const wanted = search.trim().toLowerCase()
  return ({ name }: StoredFile) => name.toLowerCase().includes(wanted)
}

/** The stored files of a kind, newest first, as a picker shows them. @param onFailed gets the server's message */
export function useStoredFiles(kind: MediaKind, session: MediaAccess, onFailed: (message: string) => void) {
  const [files, setFiles] = useState<StoredFile[]>()
  const [search, setSearch] = useState('')
  const [isAll, setAll] = useState(false)

  const load = useCallback(
    (all: boolean) => {
      listFiles(session, kind, all).then(
        (found) => {
          setFiles(found)
          setAll(all || found.length < PICKER_LIMIT)
        },
        (error: Error) => {
          setFiles((before) => before ?? [])
          onFailed(error.message)
        },
      )
    },
    [kind, session, onFailed],
  )
  useEffect(() => load(false), [load])

  const found = files?.filter(byName(search))
  return {
    search,
    /** Undefined while they are on their way. */
    shown: found?.slice(0, PICKER_LIMIT),
    /** There may be more than are shown. */
    hasMore: !isAll || (found?.length ?? 0) > PICKER_LIMIT,
    reload: () => load(false),
    seek(text: string) {
      setSearch(text)
      // The newest are there already; only whoever looks for an older one waits for all names.
      if (text.trim() && !isAll) load(true)
    },
    drop: (name: string) => setFiles((before) => before?.filter((file) => file.name !== name)),
  }
}
