import { randomUUID } from 'node:crypto'
import { MemoryLocker, Server, type Upload } from '@tus/server'
import { errorBody, toStorageError } from '../errors.ts'
import { type Access, callerAccess, type StorageContext, type StorageDeps, wantsUpsert } from '../request.ts'
import { discard } from '../stored-bytes.ts'
import { incomingOf } from '../upload/receive.ts'
import { admit, storeUpload } from '../upload/store.ts'
import { keyIn, ResumableStore } from './uploads.ts'

/**
 * /upload/resumable: uploads in pieces by the tus protocol 1.0. The rules are those of any upload: asked when it begins,
 * and again when the object is made of the pieces.
 */
export function resumableUpload(deps: StorageDeps) {
  const locker = new MemoryLocker()
  return async (c: StorageContext) => {
    const access = callerAccess(deps.db, c.var.caller)
    const upsert = wantsUpsert(c)
    const store = new ResumableStore(deps, { role: c.var.caller.role, ownerId: access.ownerId }, { upsert })
    const server = new Server({
      datastore: store,
      locker,
      path: '/upload/resumable',
      namingFunction: () => randomUUID(),
      // Without the origin, which only the outermost proxy knows.
      generateUrl: (request, { id }) => `${new URL(request.url).pathname.replace(/\/$/, '')}/${id}`,
      getFileIdFromRequest: (request) => new URL(request.url).pathname.split('/').at(-1),
      onUploadCreate: async (_request, upload) => {
        const mode = upsert ? 'upsert' : 'insert'
        await admit(deps.db, { access, key: keyIn(upload.metadata), mode, incoming: describedIn(upload) })
        return {}
      },
      onUploadFinish: async (_request, upload) => {
        await finish(deps, { upload, access, store })
        // With a date, the library would look up when the upload expires; but it has just ended.
        upload.creation_date = undefined
        return {}
      },
      onResponseError: (_request, error) => answer(deps, error),
    })
    return server.handleWeb(c.req.raw)
  }
}

/** Makes the object of the pieces. An upload that breaks a rule is forgotten; after our own failure it can go on. */
async function finish(
  deps: StorageDeps,
  { upload, access, store }: { upload: Upload; access: Access; store: ResumableStore },
): Promise<void> {
  try {
    const { upsert, metadata } = await store.find(upload.id)
    const incoming = { ...describedIn(upload), bytes: store.assemble(upload.id) }
    await storeUpload(deps, { access, key: keyIn(metadata), mode: upsert ? 'upsert' : 'insert', incoming })
    await store.remove(upload.id)
  } catch (error) {
    if (toStorageError(error).status < 500) await store.remove(upload.id)
    throw error
  } finally {
    if (store.last) await discard(deps, [store.last])
  }
}

const describedIn = ({ metadata = {}, size }: Upload) =>
  incomingOf({
    mimetype: metadata.contentType ?? 'application/octet-stream',
    cacheSeconds: metadata.cacheControl ?? undefined,
    metadata: metadata.metadata ?? undefined,
    announced: size,
  })

/** tus names its own refusals; all others are ours. */
function answer({ log }: StorageDeps, error: Error | { status_code?: number }) {
  if ('status_code' in error && error.status_code) return undefined
  const failure = toStorageError(error)
  if (failure.status >= 500) log.error({ err: failure }, 'resumable upload failed')
  return { status_code: failure.status, body: JSON.stringify(errorBody(failure)) }
}
