import { StorageClient } from '@supabase/storage-js'
import { png } from './samples.ts'
import type { ServerProcess } from './server-process.ts'

/** A file as Playwright gives it to a page. */
export const fileOf = (name: string, mimeType: string, buffer: Buffer) => ({ name, mimeType, buffer })

/** A picture of at least so many bytes; what stands after a PNG's end is never looked at. */
export const pictureOf = (name: string, bytes = png.length) =>
  fileOf(name, 'image/png', Buffer.concat([png, Buffer.alloc(Math.max(0, bytes - png.length))]))

/** A recording of silence. */
export function silence(name: string, seconds: number) {
  const rate = 8000
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + rate * seconds, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  header.write('data', 36)
  header.writeUInt32LE(rate * seconds, 40)
  return fileOf(name, 'audio/wav', Buffer.concat([header, Buffer.alloc(rate * seconds, 128)]))
}

/** The storage with the secret key, which policies do not bind. */
export const serviceStorage = ({ url, keys }: ServerProcess) =>
  new StorageClient(`${url}/storage/v1`, { apikey: keys.secret, Authorization: `Bearer ${keys.secret}` })
