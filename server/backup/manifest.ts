import { z } from 'zod'
import { SetupError } from '#server/config/env.ts'

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
export type Header = z.infer<typeof Header>

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
export function readHeader(name: string, bytes: Uint8Array): Header {
  const value = parseJson(bytes)
  const { data } = AnyFormat.safeParse(value)
  if (data && data.format > FORMAT) throw new ArchiveNewer(name, `archive format ${data.format}`)
  const header = Header.safeParse(value)
  if (!header.success) throw new ArchiveDamaged(name, 'It is no backup of Walking Together.')
  return header.data
}

/** Reads the last entry but one. Errors: ArchiveDamaged. */
export function readManifest(name: string, bytes: Uint8Array): Manifest {
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
