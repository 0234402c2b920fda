import type { Database, Transaction } from '#server/database/port.ts'
import type { Caller } from '#server/tokens/caller.ts'

/** On whose behalf objects are written: how to open a transaction, and who owns what is made in it. */
export interface Access {
  ownerId: string | null
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
}

/** The caller's own rights: row-level security judges every statement. */
export const callerAccess = (db: Database, caller: Caller): Access => ({
  ownerId: typeof caller.claims.sub === 'string' ? caller.claims.sub : null,
  transaction: (work) => db.asCaller(caller, work),
})

/** The holder of a signed upload address: policies judged when it was signed, and the signer owns the object. */
export const signedAccess = (db: Database, ownerId: string | null): Access => ({
  ownerId,
  transaction: (work) => db.asOwner('an upload by a signed address', work),
})

/**
 * Whether the database would let the work through: does it, and takes it back. Refuses a long upload before its bytes
 * are sent, not after. Errors: what the work throws.
 */
export async function rehearse(access: Access, work: (tx: Transaction) => Promise<unknown>): Promise<void> {
  const takeBack = new Error('only a rehearsal')
  await access
    .transaction(async (tx) => {
      await work(tx)
      throw takeBack
    })
    .catch((error) => {
      if (error !== takeBack) throw error
    })
}
