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

/** Sends a file with progress, which fetch cannot tell. Never throws; a cancelled upload has status 0 too. */
export const sendFile = (address: string, { headers, body, onProgress, signal }: Sending) =>
  new Promise<Answer>((resolve) => {
    const request = new XMLHttpRequest()
    const cancel = () => request.abort()
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onloadend = () => {
      signal.removeEventListener('abort', cancel)
      resolve({ status: request.status, message: messageOf(request.responseText) })
    }
    request.open('POST', address)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    signal.addEventListener('abort', cancel)
    if (signal.aborted) resolve({ status: 0, message: '' })
    else request.send(body)
  })
