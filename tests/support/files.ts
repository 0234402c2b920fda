import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { openFiles } from '#server/files/open.ts'
import type { Files, ListedFile } from '#server/files/port.ts'

/** An empty place for files of a test's own, and how to be rid of it. */
export interface TestFiles {
  files: Files
  url: string
  /** Puts something there that is not ours. */
  plant(name: string): Promise<void>
  remove(): Promise<void>
}

type Opener = readonly [name: 'disk' | 's3', open: () => Promise<TestFiles>]

/** For `describe.each`: each adapter, over a folder or a real server that speaks the S3 API. */
export const fileStores: readonly [Opener, Opener] = [
  ['disk', openOnDisk],
  ['s3', openOnS3],
]

/** Everything that is kept, half-written files included. */
export async function listOf(files: Files): Promise<ListedFile[]> {
  const found: ListedFile[] = []
  for await (const file of files.list()) found.push(file)
  return found
}

async function openOnDisk(): Promise<TestFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'files-'))
  const url = `file:${folder}`
  return {
    url,
    files: await openFiles(url),
    async plant(name) {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(join(folder, name), 'not ours')
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

async function openOnS3(): Promise<TestFiles> {
  const directory = await mkdtemp(join(tmpdir(), 's3-'))
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    // It reckons the signature of bucket-wide requests otherwise than Amazon does.
    allowMismatchedSignatures: true,
    directory,
    configureBuckets: [{ name: 'files' }],
  })
  const { port } = await server.run()
  // The only key that this server knows.
  process.env.AWS_ACCESS_KEY_ID = 'S3RVER'
  process.env.AWS_SECRET_ACCESS_KEY = 'S3RVER'
  const url = `s3://files/stored?endpoint=http://127.0.0.1:${port}&region=eu-central-1`
  return {
    url,
    files: await openFiles(url),
    async plant(name) {
      const client = new S3Client({
        region: 'eu-central-1',
        endpoint: `http://127.0.0.1:${port}`,
        forcePathStyle: true,
      })
      await client.send(new PutObjectCommand({ Bucket: 'files', Key: `stored/${name}`, Body: 'not ours' }))
      client.destroy()
    },
    async remove() {
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
