import { fileURLToPath } from 'node:url'
import { openDiskFiles } from './disk.ts'
import type { Files } from './port.ts'

/** Opens the place that STORAGE_URL names: `file:` and a folder, or `s3://bucket?endpoint=…&region=…`. */
export async function openFiles(storageUrl: string): Promise<Files> {
  if (storageUrl.startsWith('s3:')) {
    // The client is worth 30 MB of memory, and is loaded only when it is used.
    const { openS3Files, parseS3Url } = await import('./s3.ts')
    return openS3Files(parseS3Url(storageUrl))
  }
  return openDiskFiles(
    storageUrl.startsWith('file://') ? fileURLToPath(storageUrl) : storageUrl.slice('file:'.length),
  )
}
