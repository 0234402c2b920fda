import { randomUUID } from 'node:crypto'
import { StorageClient } from '@supabase/storage-js'
import sharp from 'sharp'
import type { ServerProcess } from './server-process.ts'

/** A picture of this size, in one colour with a corner in another. */
export const picture = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#2f5d62' } })
    .composite([
      {
        input: { create: { width: width >> 1, height: height >> 1, channels: 3, background: '#f4a340' } },
        top: 0,
        left: 0,
      },
    ])
    .jpeg()
    .toBuffer()

/** Stores a file in a running service's storage; returns its address as resources keep it, without the origin. */
export async function storePicture({ url, keys }: ServerProcess, bytes: Buffer): Promise<string> {
  const headers = { apikey: keys.secret, Authorization: `Bearer ${keys.secret}` }
  const images = new StorageClient(`${url}/storage/v1`, headers).from('images')
  const name = `resource-images/${randomUUID()}.jpg`
  const { error } = await images.upload(name, bytes, { contentType: 'image/jpeg' })
  if (error) throw error
  return new URL(images.getPublicUrl(name).data.publicUrl).pathname
}
