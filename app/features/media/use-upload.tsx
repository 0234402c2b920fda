import { type ReactNode, useEffect, useRef, useState } from 'react'
import { toast } from '#app/ui/toast.tsx'
import { duplicateMessage, type MediaKind, mediaRules, safeFileName } from '#domain/media/rules.ts'
import { mediaWords, Said, UploadRefused } from './media-messages.tsx'
import { uploadFile } from './resumable-upload.ts'
import type { MediaAccess } from './stored-files.ts'
import { isNameTaken } from './stored-files.ts'

interface Upload {
  name: string
  /** From 0 to 1. */
  share: number
}

interface Options {
  kind: MediaKind
  session: MediaAccess
  onStored(address: string): void
  onRefused(why: ReactNode): void
  onBusy?(busy: boolean): void
}

const NO_SOUND = 'This .mp4 file has no sound.'

/** Why a file is not uploaded at all, or the label to upload it with. Throws when the file cannot be read. */
const examine = async (kind: MediaKind, file: File) => {
  // Knowing all kinds of files takes much code; most visits to the form upload none.
  const { examineFile, hasAudioTrack } = await import('#domain/media/examine-file.ts')
  const examined = await examineFile(kind, file)
  if (examined.problem !== undefined) return { problem: examined.problem }
  const isSilent = kind === 'audio' && (await hasAudioTrack(file)) === false
  if (!isSilent) return examined
  return { problem: <Said message={mediaRules.audio.wrongType} detail={NO_SOUND} /> }
}

/** One upload at a time: examined, checked for a name that is taken, sent with progress; leaving the page cancels it. */
export function useUpload({ kind, session, onStored, onRefused, onBusy }: Options) {
  const [upload, setUpload] = useState<Upload>()
  const controller = useRef<AbortController>(undefined)
  useEffect(() => () => controller.current?.abort(), [])

  /** Gives why there is no new file, or nothing. */
  const attempt = async (file: File, signal: AbortSignal): Promise<ReactNode> => {
    const examined = await examine(kind, file)
    if (examined.problem !== undefined) return examined.problem
    const name = safeFileName(file.name)
    const isTaken = await isNameTaken(session, kind, name).catch(() => undefined)
    if (isTaken === undefined) return 'Failed to check for existing files'
    if (isTaken) return duplicateMessage(name)
    const onProgress = (share: number) => setUpload({ name, share })
    const sent = await uploadFile(session, kind, {
      body: file,
      name,
      type: examined.type,
      onProgress,
      signal,
    })
    if ('refused' in sent) {
      return sent.refused.status === 409 ? (
        duplicateMessage(name)
      ) : (
        <UploadRefused kind={kind} answer={sent.refused} />
      )
    }
    onStored(sent.address)
    toast(`${name} is uploaded.`)
  }

  const start = async (file: File) => {
    if (controller.current) return
    const own = new AbortController()
    controller.current = own
    setUpload({ name: file.name, share: 0 })
    onBusy?.(true)
    const why = await attempt(file, own.signal).catch(() => mediaWords[kind].uploadFailed)
    controller.current = undefined
    setUpload(undefined)
    onBusy?.(false)
    if (why && !own.signal.aborted) onRefused(why)
  }

  return { upload, start, cancel: () => controller.current?.abort() }
}
