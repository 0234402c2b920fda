import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  paginateListObjectsV2,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { connectS3, parseS3Url } from '#server/files/s3.ts'
import { ArchiveNotRead, ArchiveNotWritten, type Archives, type ListedArchive, watchSource } from './port.ts'

/** An upload has 10,000 parts at most, so an archive may have 160 GB; two parts are in memory at a time. */
const PART_BYTES = 16 * 1024 * 1024
const PARTS_AT_ONCE = 2

/** Archives in a bucket of Amazon S3, or of anything that speaks its API. */
export function archivesInS3(address: string): Archives {
  const place = parseS3Url(address)
  const client = connectS3(place)
  const at = (name: string) => ({ Bucket: place.bucket, Key: place.prefix + name })
  const describe = (name = '') => `s3://${place.bucket}/${place.prefix}${name}`
  return {
    describe,
    async write(name, bytes) {
      const source = watchSource(bytes)
      const params = { ...at(name), Body: Readable.from(source.bytes, { objectMode: false }) }
      const upload = new Upload({ client, params, partSize: PART_BYTES, queueSize: PARTS_AT_ONCE })
      // One that fails is aborted by the library, and an object appears only when it is complete.
      await upload.done().catch((cause) => {
        throw (
          source.failed() ?? new ArchiveNotWritten(explain('written to', describe(name), cause), { cause })
        )
      })
    },
    async read(name) {
      const { Body } = await client.send(new GetObjectCommand(at(name))).catch((cause) => {
        throw new ArchiveNotRead(explain('read from', describe(name), cause), { cause })
      })
      if (!Body) throw new ArchiveNotRead(`${describe(name)} is empty`)
      return Body.transformToWebStream() as unknown as AsyncIterable<Uint8Array>
    },
    async list() {
      const listed: ListedArchive[] = []
      for await (const page of paginateListObjectsV2(
        { client },
        { Bucket: place.bucket, Prefix: place.prefix },
      )) {
        for (const { Key = '', Size = 0, LastModified = new Date() } of page.Contents ?? []) {
          listed.push({ name: Key.slice(place.prefix.length), bytes: Size, modifiedAt: LastModified })
        }
      }
      return listed
    },
    async remove(name) {
      await client.send(new DeleteObjectCommand(at(name)))
    },
  }
}

const explain = (doing: string, where: string, cause: unknown): string =>
  `The backup could not be ${doing} ${where}: ${cause instanceof S3ServiceException ? cause.name : String(cause)}`
