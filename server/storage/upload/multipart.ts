import { Readable } from 'node:stream'
import busboy from 'busboy'
import { storageErrors } from '../errors.ts'

/** The first file of a form, as it arrives, and the fields that came before it. */
export interface FormUpload {
  fields: ReadonlyMap<string, string>
  mimetype: string
  bytes: AsyncIterable<Uint8Array>
}

const LIMITS = { fields: 20, fieldSize: 256 * 1024, files: 1, parts: 30, headerPairs: 50 }

/**
 * Opens a multipart/form-data body without holding its file in memory. storage-js sends fields first, so they are known
 * when the file begins. Errors: InvalidRequest when it is no form, or holds no file, or ends too early.
 */
export async function readForm(request: Request): Promise<FormUpload> {
  const parser = openParser(request)
  const body = Readable.fromWeb((request.body ?? new Blob([]).stream()) as never)
  const { promise, resolve, reject } = Promise.withResolvers<FormUpload>()
  const fields = new Map<string, string>()
  parser.on('field', (name, value) => fields.set(name, value))
  parser.on('file', (_name, file, { mimeType }) => {
    // Nobody may be reading it when the connection breaks; whoever reads hears of it anyway.
    file.on('error', () => undefined)
    file.once('close', () => !file.readableEnded && body.unpipe(parser).destroy())
    resolve({ fields, mimetype: mimeType, bytes: file })
  })
  parser.on('error', (error) => reject(unreadable(error)))
  parser.once('close', () => reject(storageErrors.invalid('The form holds no file')))
  body.once('error', (error) => {
    reject(storageErrors.cutOff(error))
    parser.destroy(error)
  })
  body.pipe(parser)
  return promise
}

function openParser(request: Request): busboy.Busboy {
  try {
    return busboy({ headers: Object.fromEntries(request.headers), limits: LIMITS })
  } catch (error) {
    throw unreadable(error)
  }
}

const unreadable = (error: unknown) =>
  storageErrors.invalid(`The form cannot be read: ${error instanceof Error ? error.message : 'malformed'}`)
