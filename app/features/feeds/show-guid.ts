import { createHash } from 'node:crypto'

/** The namespace that the podcast namespace's specification fixes for `podcast:guid`. */
const NAMESPACE = Buffer.from('ead4c236bf5858c6a2c6a6b28d128cb6', 'hex')

/** UUID version 5 of the feed's address without its scheme and trailing slashes. */
export function showGuid(feedAddress: string): string {
  const name = feedAddress.replace(/^https?:\/\//, '').replace(/\/+$/, '')
  const digest = createHash('sha1').update(NAMESPACE).update(name).digest().subarray(0, 16)
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x50
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80
  return digest.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
