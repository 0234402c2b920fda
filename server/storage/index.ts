import { Hono, type MiddlewareHandler } from 'hono'
import type { Logger } from 'pino'
import type { Database } from '#server/database/port.ts'
import type { Files } from '#server/files/port.ts'
import { type Admission, createAdmission } from '#server/http/admission.ts'
import { openToAllOrigins } from '#server/http/headers.ts'
import type { ApiKeys } from '#server/tokens/api-keys.ts'
import { authenticate, type CallerEnv, type VerifyToken } from '#server/tokens/authenticate.ts'
import {
  createBucket,
  deleteBucketEndpoint,
  emptyBucket,
  listBucketsEndpoint,
  readBucket,
  updateBucketEndpoint,
} from './buckets.ts'
import { renderStorageError, storageErrors } from './errors.ts'
import { openImageTransformer } from './images/image-transformer.ts'
import { renderImage, renderPublicImage, renderSignedImage } from './images/render-image.ts'
import { listObjects, listObjectsV2 } from './listing.ts'
import { copyObject, moveObjectEndpoint, removeObject, removeObjects } from './objects/move-copy-remove.ts'
import {
  describeObject,
  describePublicObject,
  readObject,
  readPublicObject,
  readSignedObject,
} from './objects/read.ts'
import type { StorageDeps } from './request.ts'
import { resumableUpload } from './resumable/endpoint.ts'
import { signObject, signObjects, signUpload } from './sign-addresses.ts'
import { createSigner } from './signing.ts'
import { uploadObject, uploadSignedObject } from './upload/receive.ts'

interface Options {
  db: Database
  files: Files
  keys: ApiKeys
  verifyToken: VerifyToken
  admission?: Admission
  log: Logger
}

/** /storage/v1. This index is the permission map: above the line anyone, below it whatever policies let the caller do. */
export function createStorage(options: Options): Hono<CallerEnv> {
  const { db, files, keys, log, admission = createAdmission({ trustedProxies: 0 }) } = options
  const common: StorageDeps = { db, files, log, admission, signer: createSigner(keys.secret) }
  const deps = { ...common, transformImage: openImageTransformer(common) }
  const storage = new Hono<CallerEnv>()
  storage.use(openToAllOrigins(EXPOSED))
  storage.onError((error) => renderStorageError(error, log))

  storage.on(READ, '/object/public/:bucket/:name{[\\s\\S]+}', readPublicObject(deps)) // public buckets
  storage.get('/object/info/public/:bucket/:name{[\\s\\S]+}', describePublicObject(deps)) // public buckets
  storage.on(READ, '/object/sign/:bucket/:name{[\\s\\S]+}', readSignedObject(deps)) // holders of a token
  storage.on(READ, '/render/image/public/:bucket/:name{[\\s\\S]+}', renderPublicImage(deps)) // public buckets
  storage.on(READ, '/render/image/sign/:bucket/:name{[\\s\\S]+}', renderSignedImage(deps)) // holders of a token
  const inTurn = uploadInTurn(admission)
  storage.put('/object/upload/sign/:bucket/:name{[\\s\\S]+}', inTurn, uploadSignedObject(deps)) // holders of a token
  storage.use(authenticate({ ...options, refuse: refusals(log) })) // -----------------------------------------------

  storage.get('/bucket', listBucketsEndpoint(deps))
  storage.post('/bucket', createBucket(deps))
  storage.get('/bucket/:bucket', readBucket(deps))
  storage.put('/bucket/:bucket', updateBucketEndpoint(deps))
  storage.delete('/bucket/:bucket', deleteBucketEndpoint(deps))
  storage.post('/bucket/:bucket/empty', emptyBucket(deps))

  storage.post('/object/list/:bucket', listObjects(deps))
  storage.post('/object/list-v2/:bucket', listObjectsV2(deps))
  storage.post('/object/move', moveObjectEndpoint(deps))
  storage.post('/object/copy', copyObject(deps))
  storage.post('/object/sign/:bucket', signObjects(deps))
  storage.post('/object/sign/:bucket/:name{[\\s\\S]+}', signObject(deps))
  storage.post('/object/upload/sign/:bucket/:name{[\\s\\S]+}', signUpload(deps))
  storage.on(READ, '/object/info/authenticated/:bucket/:name{[\\s\\S]+}', describeObject(deps))
  storage.on(READ, '/object/info/:bucket/:name{[\\s\\S]+}', describeObject(deps))
  storage.on(READ, '/render/image/authenticated/:bucket/:name{[\\s\\S]+}', renderImage(deps))
  storage.on(READ, '/object/authenticated/:bucket/:name{[\\s\\S]+}', readObject(deps))
  storage.on(READ, '/object/:bucket/:name{[\\s\\S]+}', readObject(deps))
  storage.on(['POST', 'PUT'], '/object/:bucket/:name{[\\s\\S]+}', inTurn, uploadObject(deps))
  storage.on(
    ['POST', 'GET', 'PATCH', 'DELETE'],
    ['/upload/resumable', '/upload/resumable/:id'],
    inTurn,
    resumableUpload(deps),
  )
  storage.delete('/object/:bucket', removeObjects(deps))
  storage.delete('/object/:bucket/:name{[\\s\\S]+}', removeObject(deps))
  storage.all('*', () => renderStorageError(storageErrors.routeNotFound(), log))
  return storage
}

/** An upload may take minutes on a slow line: as many as one person has going, and room for others. */
const uploadInTurn = (admission: Admission): MiddlewareHandler<CallerEnv> =>
  async function uploadInTurn(c, next) {
    const sub = c.get('caller')?.claims.sub
    const client = typeof sub === 'string' ? sub : admission.clientOf(c)
    return admission.uploads.run(client, next, () => c.req.raw.signal)
  }

const READ = ['GET', 'HEAD']

/** What a page of another origin may read of our answers; the last ones belong to resumable uploads. */
const EXPOSED = [
  ...['Content-Length', 'Content-Range', 'Content-Disposition', 'ETag', 'Last-Modified'],
  ...['Location', 'Upload-Offset', 'Upload-Length', 'Upload-Expires', 'Tus-Resumable', 'Tus-Version'],
]

const refusals = (log: Logger) => ({
  noKey: () => renderStorageError(storageErrors.noKey(), log),
  badKey: () => renderStorageError(storageErrors.badKey(), log),
  badToken: ({ expired }: { expired: boolean }) => renderStorageError(storageErrors.badToken(expired), log),
})
