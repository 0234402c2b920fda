import { createHash } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { buffer as bufferOf } from 'node:stream/consumers'
import { extract, pack } from 'tar-stream'
import { z } from 'zod'
import { SetupError } from '#server/config/env.ts'

/**
 * The form of an archive (docs/decisions, "One archive of everything"): a plain tar file that `tar` can open. Content of
 * any length is cut into pieces, because tar says a size before the bytes: `cat database/public.users.copy.gz/*` joins
 * them again. The first entry says what it is, the manifest comes after all that it names, and the last entry is the
 * SHA-256 of every byte before it. That last entry is known to the byte, so no flipped bit goes unseen, wherever it is.
 */
export interface Piece {
  /** `<content>/<number>`, or the name of the header or manifest. */
  name: string
  bytes: Buffer
}

/** One piece is in memory at a time, whatever the size of the archive. */
const PIECE_BYTES = 4 * 1024 * 1024
const DIGEST_NAME = 'sha256.txt'
const TAR_BLOCK = 512
/** The digest's entry (a header and a block) and the two empty blocks at the end of every tar file. */
const TRAILER_BYTES = 4 * TAR_BLOCK
const END_BYTES = 2 * TAR_BLOCK

/** Cuts content into pieces; content without a byte is one empty piece. */
export async function* cut(name: string, content: AsyncIterable<Uint8Array>): AsyncGenerator<Piece> {
  let number = 0
  let gathered: Uint8Array[] = []
  let size = 0
  const piece = () => {
    const bytes = Buffer.concat(gathered)
    gathered = []
    size = 0
    return { name: `${name}/${String(++number).padStart(5, '0')}`, bytes }
  }
  for await (const chunk of content) {
    for (let start = 0; start < chunk.length; ) {
      const part = chunk.subarray(start, start + PIECE_BYTES - size)
      gathered.push(part)
      size += part.length
      start += part.length
      if (size === PIECE_BYTES) yield piece()
    }
  }
  if (size > 0 || number === 0) yield piece()
}

/** The bytes of an archive. The pieces must begin with the header's and end with the manifest's. */
export async function* encodeArchive(pieces: AsyncIterable<Piece>): AsyncGenerator<Uint8Array> {
  const digest = createHash('sha256')
  for await (const piece of pieces) {
    for (const chunk of await tarEntry(piece)) {
      digest.update(chunk)
      yield chunk
    }
  }
  yield await trailer(digest.digest('hex'))
}

/** A header, the bytes, and zeros up to the next whole block. */
async function tarEntry({ name, bytes }: Piece): Promise<Uint8Array[]> {
  const chunks = await tarFile({ name, bytes })
  const end = chunks.pop()
  // The library ends each tar file with this much nothing, in a chunk of its own.
  if (end?.length !== END_BYTES) throw new Error('tar-stream ends its files otherwise than it did')
  return chunks
}

async function tarFile({ name, bytes }: Piece): Promise<Uint8Array[]> {
  const tar = pack()
  tar.entry({ name, size: bytes.length, mode: 0o600, mtime: new Date(0) }, bytes)
  tar.finalize()
  const chunks: Uint8Array[] = []
  for await (const chunk of tar) chunks.push(chunk as Uint8Array)
  return chunks
}

const trailer = async (sha256: string): Promise<Buffer> =>
  Buffer.concat(await tarFile({ name: DIGEST_NAME, bytes: Buffer.from(`${sha256}\n`) }))

/** What an archive holds, and the digest by which it is known again. */
export interface Checked {
  header: Header
  manifest: Manifest
  sha256: string
  size: number
}

/**
 * Reads all of an archive and checks every byte of it, before anything is done with it.
 * Errors: ArchiveDamaged (cut, altered, or no archive at all), ArchiveNewer.
 */
export async function checkArchive(name: string, source: AsyncIterable<Uint8Array>): Promise<Checked> {
  const digested = digesting(source)
  let header: Header | undefined
  const last: Buffer[] = []
  try {
    for await (const { name: part, bytes } of tarPieces(digested.stream)) {
      if (part === HEADER_NAME) header = readHeader(name, bytes)
      else if (!header) throw new ArchiveDamaged(name, 'It is no backup of Walking Together.')
      else if (part.startsWith(`${MANIFEST_NAME}/`)) last.push(bytes)
    }
  } catch (error) {
    throw error instanceof SetupError ? error : new ArchiveDamaged(name, reasonOf(header), error)
  }
  if (!header) throw new ArchiveDamaged(name, 'It is no backup of Walking Together.')
  const { sha256, size, isWhole } = await digested.end()
  if (!isWhole) throw new ArchiveDamaged(name, reasonOf(header))
  return { header, sha256, size, manifest: readManifest(name, Buffer.concat(last)) }
}

/** Whether something begins as our archives do. Reads no more than its beginning. */
export async function isArchive(source: AsyncIterable<Uint8Array>): Promise<boolean> {
  let beginning = Buffer.alloc(0)
  for await (const chunk of source) {
    beginning = Buffer.concat([beginning, chunk])
    if (beginning.length >= 2 * TAR_BLOCK) break
  }
  const text = beginning.subarray(0, 2 * TAR_BLOCK).toString('latin1')
  return text.startsWith(`${HEADER_NAME}\0`) && text.includes('"application": "walking-together"')
}

const reasonOf = (header: Header | undefined): string =>
  header
    ? 'It is cut off or has been altered: its checksum does not fit.'
    : 'It is no backup of Walking Together.'

/** Content of an archive, joined from its pieces. */
export interface Content {
  name: string
  bytes: AsyncIterable<Buffer>
}

/**
 * The contents of an archive that was checked before, in their order; ones that are not read are passed over. Each piece
 * is compared with the manifest, and the whole with its digest, so that a file which changed since is noticed.
 * Errors: ArchiveDamaged.
 */
export async function* readContents(
  name: string,
  source: AsyncIterable<Uint8Array>,
  { manifest, sha256 }: Checked,
): AsyncGenerator<Content> {
  const digested = digesting(source)
  const expected = new Map(manifest.parts.map((part) => [part.name, part.sha256]))
  const pieces = tarPieces(digested.stream)
  const stem = (piece: Piece) => piece.name.slice(0, Math.max(0, piece.name.lastIndexOf('/')))
  const take = async () => {
    const next = await pieces.next()
    if (next.done) return undefined
    const known = expected.get(next.value.name)
    if (known && known !== hashOf(next.value.bytes))
      throw new ArchiveDamaged(name, `${next.value.name} is altered.`)
    return next.value
  }
  let piece = await take()
  while (piece) {
    const content = stem(piece)
    const bytes = async function* () {
      for (; piece && stem(piece) === content; piece = await take()) yield piece.bytes
    }
    const unread = bytes()
    if (content && content !== MANIFEST_NAME) yield { name: content, bytes: unread }
    for await (const _ of bytes());
  }
  const end = await digested.end()
  if (!end.isWhole || end.sha256 !== sha256) {
    throw new ArchiveDamaged(name, 'It changed while it was being read.')
  }
}

export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Entries of a tar file, one in memory at a time. Errors: what is no tar file, or has pieces larger than ours. */
async function* tarPieces(source: AsyncIterable<Uint8Array>): AsyncGenerator<Piece, undefined> {
  const entries = extract()
  // Its errors reach the loop below.
  pipeline(
    Readable.from(source, { objectMode: false }),
    entries as unknown as NodeJS.WritableStream,
    () => undefined,
  )
  for await (const entry of entries) {
    const { name, size = 0, type } = entry.header
    if (size > PIECE_BYTES || type !== 'file') throw new Error(`${name} is no piece of a backup`)
    yield { name, bytes: await bufferOf(entry as unknown as AsyncIterable<Uint8Array>) }
  }
  return undefined
}

/** Passes bytes on and reckons the digest of all but the last entry, which must hold that very digest. */
function digesting(source: AsyncIterable<Uint8Array>) {
  const hash = createHash('sha256')
  let held = Buffer.alloc(0)
  let size = 0
  const iterator = (async function* () {
    for await (const chunk of source) {
      size += chunk.length
      const both = Buffer.concat([held, chunk])
      const settled = Math.max(0, both.length - TRAILER_BYTES)
      hash.update(both.subarray(0, settled))
      held = Buffer.from(both.subarray(settled))
      yield chunk
    }
  })()
  return {
    stream: iterator,
    /** Reads what the tar reader left, which stops at the first empty blocks. */
    async end() {
      for await (const _ of iterator);
      const sha256 = hash.digest('hex')
      return { sha256, size, isWhole: held.equals(await trailer(sha256)) }
    },
  }
}

/** Raised when archives are written in a way that older releases cannot read. */
const FORMAT = 1

export const HEADER_NAME = 'walking-together-backup.json'
export const MANIFEST_NAME = 'manifest.json'

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const count = z.number().int().nonnegative()

/** The first entry: whose archive this is, so that one from a newer release is told from a damaged one. */
const Header = z.object({
  application: z.literal('walking-together'),
  format: z.literal(FORMAT),
  /** The version in package.json of the release that made it. */
  release: z.string(),
  madeAt: z.iso.datetime(),
})
type Header = z.infer<typeof Header>

const identifier = z.string().min(1).max(63)

/** Rows of a table as COPY's text form writes them, compressed. */
const TableFacts = z.object({
  schema: identifier,
  name: identifier,
  columns: z.array(identifier),
  rows: count,
  /** Of the text before compression. */
  bytes: count,
  sha256,
})
export type TableFacts = z.infer<typeof TableFacts>

const Manifest = z.object({
  /** The migrations that had been applied, in the order of their versions. */
  migrations: z.array(z.object({ version: z.string().regex(/^\d+$/), sha256: sha256.optional() })),
  tables: z.array(TableFacts),
  sequences: z.array(z.object({ schema: identifier, name: identifier, value: z.string().regex(/^-?\d+$/) })),
  files: z.object({
    count,
    bytes: count,
    /** Versions that the database names and the store did not have. */
    missing: z.array(z.string()),
  }),
  /** Mails and other messages that were waiting to be sent. */
  waitingJobs: count,
  /** Every entry between the first and this one. */
  parts: z.array(z.object({ name: z.string(), size: count, sha256 })),
})
export type Manifest = z.infer<typeof Manifest>

/** The archive cannot be used: it is cut, altered, or none of ours. Nothing was touched. */
export class ArchiveDamaged extends SetupError {
  constructor(name: string, reason: string, cause?: unknown) {
    super(`${name} cannot be restored. ${reason}`, { cause })
  }
}

/** The archive was made by a release that knows more than this one. Nothing was touched. */
export class ArchiveNewer extends SetupError {
  constructor(name: string, what: string) {
    super(`${name} comes from a newer release (${what}). Update Walking Together, then restore it.`)
  }
}

/** What was restored from the archive is not what it says. */
export class VerificationFailed extends SetupError {}

/** What the first entry of a new archive says. */
export const writeHeader = (release: string, madeAt: Date): Buffer =>
  toJson({
    application: 'walking-together',
    format: FORMAT,
    release,
    madeAt: madeAt.toISOString(),
  } satisfies Header)

export const writeManifest = (manifest: Manifest): Buffer => toJson(manifest)

const toJson = (value: unknown) => Buffer.from(`${JSON.stringify(value, null, 1)}\n`)

const AnyFormat = z.object({ application: z.literal('walking-together'), format: z.number() })

/** Reads the first entry. Errors: ArchiveNewer, ArchiveDamaged. */
function readHeader(name: string, bytes: Uint8Array): Header {
  const value = parseJson(bytes)
  const { data } = AnyFormat.safeParse(value)
  if (data && data.format > FORMAT) throw new ArchiveNewer(name, `archive format ${data.format}`)
  const header = Header.safeParse(value)
  if (!header.success) throw new ArchiveDamaged(name, 'It is no backup of Walking Together.')
  return header.data
}

/** Reads the last entry but one. Errors: ArchiveDamaged. */
function readManifest(name: string, bytes: Uint8Array): Manifest {
  const manifest = Manifest.safeParse(parseJson(bytes))
  if (!manifest.success) throw new ArchiveDamaged(name, 'Its list of contents cannot be understood.')
  return manifest.data
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    return undefined
  }
}
