/** An answer of the storage: its status, 0 when there was none, and what it said. */
export interface Answer {
  status: number
  message: string
}

interface Sending {
  headers: Readonly<Record<string, string>>
  body: Blob
  /** How much has left, from 0 to 1. */
  onProgress(share: number): void
  signal: AbortSignal
}

const messageOf = (body: string) => {
  try {
    const { message } = JSON.parse(body)
    return typeof message === 'string' ? message : ''
  } catch {
    return ''
  }
}

/** Where nothing has moved for so long, nobody is there any more. */
const STALLED_MS = 60_000

/** Sends a file with progress, which fetch cannot tell. Never throws; a cancelled upload has status 0 too. */
export const sendFile = (address: string, { headers, body, onProgress, signal }: Sending) =>
  new Promise<Answer>((resolve) => {
    const request = new XMLHttpRequest()
    const cancel = () => request.abort()
    let stalled = setTimeout(cancel, STALLED_MS)
    request.upload.onprogress = ({ loaded, total }) => {
      clearTimeout(stalled)
      stalled = setTimeout(cancel, STALLED_MS)
      onProgress(total > 0 ? loaded / total : 0)
    }
    request.onloadend = () => {
      clearTimeout(stalled)
      signal.removeEventListener('abort', cancel)
      resolve({ status: request.status, message: messageOf(request.responseText) })
    }
    request.open('POST', address)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    signal.addEventListener('abort', cancel)
    request.send(body)
    if (signal.aborted) cancel()
  })
