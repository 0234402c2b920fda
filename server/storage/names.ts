import { storageErrors } from './errors.ts'

const MAX_NAME_BYTES = 1024
const MAX_SEGMENT_BYTES = 255
const MAX_BUCKET_LENGTH = 100

/**
 * Lets a name of an object pass: any Unicode, kept as it was sent, in segments parted by `/`. Names never reach a file
 * system here, but they do reach addresses, logs and the disks of people who download. Errors: InvalidKey.
 */
export function checkObjectName(name: string): string {
  if (!isObjectName(name)) throw storageErrors.objectName(name)
  return name
}

/** Lets a name of a bucket pass: one segment without white space around it. Errors: InvalidBucketName. */
export function checkBucketName(name: string): string {
  const fits =
    isSegment(name) && name.length <= MAX_BUCKET_LENGTH && !name.includes('/') && name.trim() === name
  if (!fits) throw storageErrors.bucketName()
  return name
}

/** Whether an object could be stored under the name. */
export const isObjectName = (name: string): boolean =>
  Buffer.byteLength(name) <= MAX_NAME_BYTES && name.split('/').every(isSegment)

const isSegment = (segment: string): boolean =>
  segment !== '' &&
  segment !== '.' &&
  segment !== '..' &&
  Buffer.byteLength(segment) <= MAX_SEGMENT_BYTES &&
  !/[\\\p{Cc}\u2028\u2029]/u.test(segment) &&
  segment.isWellFormed()

/** Which object: the pair that is unique. */
export interface ObjectKey {
  bucket: string
  name: string
}
