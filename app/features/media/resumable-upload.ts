import type { DetailedError, HttpRequest } from 'tus-js-client'
import { addressOfFile, type MediaKind, mediaRules, pathOfFile } from '#domain/media/rules.ts'
import type { MediaAccess } from './stored-files.ts'

/** An answer of the storage: its status, 0 when there was none, and what it said. */
export interface Answer {
  status: number
  message: string
}

interface NewFile {
  body: Blob
  name: string
  type: string
  /** How much has left, from 0 to 1. */
  onProgress(share: number): void
  signal: AbortSignal
}

/** Supabase takes pieces of this size and no other; ours takes any. */
const PIECE_BYTES = 6 * 1024 * 1024
/** Tries after a line has broken. Each piece that arrives begins them anew. */
const RETRY_DELAYS_MS = [0, 1_000, 3_000, 5_000, 10_000, 20_000]
/** Where nothing has moved for so long, the line is dead although nobody has said so. */
const STALLED_MS = 60_000
/** No answer, somebody else at the same upload, a proxy without its server. */
const passing = new Set([0, 423, 502, 503, 504])
const noAnswer: Answer = { status: 0, message: '' }

/**
 * Uploads a file under a name that is free, by the tus protocol: after a lost connection it goes on with what the storage
 * has not got yet, and while the browser knows that it is offline it waits. Gives the file's address, or what the storage
 * answered instead. A cancelled upload has status 0, and nothing of it stays. Never throws.
 */
export async function uploadFile(
  access: MediaAccess,
  kind: MediaKind,
  { body, name, type, onProgress, signal }: NewFile,
): Promise<{ address: string } | { refused: Answer }> {
  const { Upload } = await import('tus-js-client')
  const { settings } = access
  const { bucket } = mediaRules[kind]
  const path = pathOfFile(kind, name)
  let isInterrupted = false
  let hasStalled = false
  let mayRenew = true
  return new Promise((resolve) => {
    const stalled = createStallTimer(() => {
      const goesOn = !hasStalled
      hasStalled = true
      isInterrupted = true
      void upload.abort().then(() => (goesOn ? upload.start() : settle({ refused: noAnswer })))
    })
    const settle = (outcome: { address: string } | { refused: Answer }) => {
      stalled.stop()
      signal.removeEventListener('abort', cancel)
      resolve(outcome)
    }
    const cancel = () => {
      upload.abort(true).catch((error) => console.warn('A cancelled upload is left to expire:', error))
      settle({ refused: noAnswer })
    }
    const upload = new Upload(body, {
      endpoint: `${settings.apiUrl}/storage/v1/upload/resumable`,
      metadata: { bucketName: bucket, objectName: path, contentType: type, cacheControl: '3600' },
      headers: { apikey: settings.publishableKey, 'x-upsert': 'false' },
      chunkSize: PIECE_BYTES,
      retryDelays: RETRY_DELAYS_MS,
      storeFingerprintForResuming: false,
      async onBeforeRequest(request) {
        if (isInterrupted) await untilOnline(signal)
        request.setHeader('authorization', `Bearer ${await access.token(!mayRenew)}`)
        if (signal.aborted && request.getMethod() !== 'DELETE') throw new Error('The upload is cancelled.')
        stalled.start()
      },
      onAfterResponse: stalled.stop,
      onProgress(sent, total) {
        stalled.start()
        onProgress(total > 0 ? sent / total : 0)
      },
      onShouldRetry(error) {
        stalled.stop()
        const { status } = answerOf(error)
        if (status === 401 || status === 403) {
          const renews = mayRenew
          mayRenew = false
          return renews
        }
        isInterrupted = true
        return passing.has(status) || (status === 409 && !isBeginning(error.originalRequest))
      },
      onChunkComplete() {
        hasStalled = false
      },
      onSuccess: () => settle({ address: addressOfFile(bucket, path) }),
      onError: (error) => settle({ refused: answerOf(error) }),
    })
    signal.addEventListener('abort', cancel)
    if (signal.aborted) cancel()
    else upload.start()
  })
}

/** A conflict then means that the name is taken; later, that both sides count differently, which the next try settles. */
const isBeginning = (request: HttpRequest) => request.getMethod() === 'POST'

function answerOf(error: Error | DetailedError): Answer {
  const response = 'originalResponse' in error ? error.originalResponse : null
  return response ? { status: response.getStatus(), message: messageOf(response.getBody()) } : noAnswer
}

function messageOf(body: string): string {
  try {
    const { message } = JSON.parse(body)
    return typeof message === 'string' ? message : ''
  } catch {
    return ''
  }
}

/** Calls once nothing has started it again for too long. */
function createStallTimer(onStalled: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => clearTimeout(timer)
  const start = () => {
    stop()
    timer = setTimeout(onStalled, STALLED_MS)
  }
  return { start, stop }
}

/** Resolves at once where the browser does not know better. */
const untilOnline = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (navigator.onLine || signal.aborted) return resolve()
    addEventListener('online', () => resolve(), { once: true, signal })
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
