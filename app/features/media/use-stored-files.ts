import { useEffect, useState } from 'react'
import type { MediaAccess } from '#app/session/client/media-access.ts'
import { type MediaKind, PICKER_LIMIT } from '#domain/media/rules.ts'
import { listFiles, type StoredFile } from './stored-files.ts'

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
