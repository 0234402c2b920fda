import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  NoSuchKey,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { SetupError } from '#server/config/env.ts'
import {
  FileMissing,
  type Files,
  installationIn,
  isKey,
  type ListedFile,
  MARKER,
  markerText,
  measure,
  QUARANTINE,
  type QuarantinedFile,
} from './port.ts'

/** What a STORAGE_URL of the form `s3://bucket/prefix?endpoint=…&region=…` says. */
export interface S3Place {
  bucket: string
  prefix: string
  endpoint: string | undefined
  region: string
}

/** The S3 API takes no smaller parts; two of them are in memory for each upload under way. */
const PART_BYTES = 5 * 1024 * 1024
const PARTS_AT_ONCE = 2

/** Reads a STORAGE_URL. Errors: one without a bucket. */
export function parseS3Url(storageUrl: string): S3Place {
  const { hostname: bucket, pathname, searchParams } = new URL(storageUrl)
  if (!bucket) throw new SetupError('STORAGE_URL must name a bucket: s3://bucket?endpoint=…&region=…')
  const folder = pathname.replace(/^\/+|\/+$/g, '')
  return {
    bucket,
    prefix: folder && `${folder}/`,
    endpoint: searchParams.get('endpoint') ?? undefined,
    region: searchParams.get('region') ?? 'us-east-1',
  }
}

/** Files in a bucket of Amazon S3, or of anything that speaks its API. Credentials come from the usual AWS variables. */
export function openS3Files(place: S3Place): Files {
  const client = connectS3(place)
  const at = (key: string) => ({ Bucket: place.bucket, Key: place.prefix + key })
  return {
    async write(key, bytes) {
      const { stream, written, broken } = measure(bytes)
      const params = { ...at(key), Body: Readable.from(stream, { objectMode: false }) }
      const upload = new Upload({ client, params, partSize: PART_BYTES, queueSize: PARTS_AT_ONCE })
      // One that fails is aborted by the library, and an object appears only when it is complete.
      await upload.done().catch((error) => {
        // Aborting may fail too, and must not hide why it was done.
        throw broken()?.error ?? error
      })
      return written()
    },
    async read(key, range) {
      const command = new GetObjectCommand({
        ...at(key),
        Range: range && `bytes=${range.start}-${range.end}`,
      })
      const { Body } = await client.send(command).catch((error) => {
        throw error instanceof NoSuchKey ? new FileMissing(key) : error
      })
      if (!Body) throw new FileMissing(key)
      return Body.transformToWebStream()
    },
    async remove(key) {
      await client.send(new DeleteObjectCommand(at(key)))
    },
    list: () => listBucket(client, place),
    quarantined: () => listQuarantine(client, place),
    async readMarker() {
      const found = await client.send(new GetObjectCommand(at(MARKER))).catch((error) => {
        if (error instanceof NoSuchKey) return undefined
        throw error
      })
      return found?.Body && installationIn(await found.Body.transformToString())
    },
    async writeMarker(installation) {
      await client.send(new PutObjectCommand({ ...at(MARKER), Body: markerText(installation) }))
    },
  }
}

/** A client for the place, with credentials from the usual AWS variables. */
export const connectS3 = ({ endpoint, region }: Pick<S3Place, 'endpoint' | 'region'>): S3Client =>
  new S3Client({
    region,
    // Other makers' servers rarely answer under a host name for each bucket, nor know the newest checksums.
    ...(endpoint && { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })

async function* listBucket(client: S3Client, place: S3Place): AsyncGenerator<ListedFile> {
  for await (const { key, modifiedAt } of keysUnder(client, place, '')) {
    yield { key, whole: true, modifiedAt, quarantine: () => move(client, place, key, `${QUARANTINE}/${key}`) }
  }
  const at = { Bucket: place.bucket, Prefix: place.prefix }
  for (const { Key = '', UploadId, Initiated } of await unfinishedUploads(client, at)) {
    const key = Key.slice(place.prefix.length)
    if (!isKey(key)) continue
    const abort = new AbortMultipartUploadCommand({ Bucket: place.bucket, Key, UploadId })
    const quarantine = async () => {
      await client.send(abort)
    }
    yield { key, whole: false, modifiedAt: Initiated ?? new Date(), quarantine }
  }
}

async function* listQuarantine(client: S3Client, place: S3Place): AsyncGenerator<QuarantinedFile> {
  for await (const { key, modifiedAt } of keysUnder(client, place, `${QUARANTINE}/`)) {
    const aside = `${QUARANTINE}/${key}`
    yield {
      key,
      since: modifiedAt,
      putBack: () => move(client, place, aside, key),
      async remove() {
        await client.send(new DeleteObjectCommand({ Bucket: place.bucket, Key: place.prefix + aside }))
      },
    }
  }
}

/** Objects right below the place (or a folder of it) whose names are keys of ours. */
async function* keysUnder(client: S3Client, { bucket, prefix }: S3Place, folder: string) {
  const at = { Bucket: bucket, Prefix: prefix + folder, Delimiter: '/' }
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, at)) {
    for (const { Key = '', LastModified } of Contents) {
      const key = Key.slice(at.Prefix.length)
      if (isKey(key)) yield { key, modifiedAt: LastModified ?? new Date() }
    }
  }
}

/** S3 knows no renaming. The copy is new, so its age tells how long it has been there. */
async function move(client: S3Client, { bucket, prefix }: S3Place, from: string, to: string): Promise<void> {
  const CopySource = encodeURI(`${bucket}/${prefix}${from}`)
  await client.send(new CopyObjectCommand({ Bucket: bucket, Key: prefix + to, CopySource }))
  await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: prefix + from }))
}

/** Servers that keep no list of unfinished uploads clear them away by themselves. */
async function unfinishedUploads(client: S3Client, at: { Bucket: string; Prefix: string }) {
  try {
    return (await client.send(new ListMultipartUploadsCommand(at))).Uploads ?? []
  } catch (error) {
    if (error instanceof S3ServiceException && error.name === 'NotImplemented') return []
    throw error
  }
}
