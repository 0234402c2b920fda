import type { Logger } from 'pino'
import type { Database } from '#server/database/port.ts'
import type { Files } from '#server/files/port.ts'
import type { Admission } from '#server/http/admission.ts'
import type { Signer } from './signing.ts'

/** What the endpoints work with. */
export interface StorageDeps {
  db: Database
  files: Files
  signer: Signer
  log: Logger
  admission: Admission
}
