import { createDecipheriv, hkdfSync } from 'node:crypto'
import type { Database, Transaction } from '#server/database/port.ts'
import { isSealed, type Sealing, sealedAs } from './sealing.ts'

interface SealedColumn {
  table: string
  column: string
  /** SQL of the row's id as text, as it stands in the context. */
  id: string
}

/** Every column that holds something sealed. Whoever adds one seals with `sealedAs('<table>.<column>', id)`. */
const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'platform.signing_keys', column: 'private_key', id: 'kid' },
  { table: 'platform.api_keys', column: 'secret', id: `'only'` },
  { table: 'auth.mfa_factors', column: 'secret', id: 'id::text' },
  { table: 'platform.saml_keys', column: 'private_key', id: `'only'` },
  { table: 'auth.flow_state', column: 'provider_access_token', id: 'auth_code' },
  { table: 'auth.flow_state', column: 'provider_refresh_token', id: 'auth_code' },
]

/**
 * Seals what an earlier version left open in the database, and what it sealed with a key that followed from the API's
 * secret key. Does nothing where everything is sealed. Returns how many values were open.
 */
export const sealWhatIsOpen = (db: Database, sealing: Sealing, apiSecret: string): Promise<number> =>
  db.asOwner('seal secrets', (tx) =>
    rewrite(tx, 'open', (text, { id, context }) => {
      if (isSealed(text)) return undefined
      const open = text.startsWith(EARLIER_PREFIX) ? openEarlier(text, id, apiSecret) : text
      return open === undefined ? undefined : sealing.seal(open, context)
    }),
  )

/** Seals everything anew with another key. Errors: UnsealFailed, when something does not open with the first. */
export async function reseal(tx: Transaction, keys: { from: Sealing; to: Sealing }): Promise<void> {
  await rewrite(tx, 'all', (text, { context }) =>
    isSealed(text) ? keys.to.seal(keys.from.unseal(text, context), context) : undefined,
  )
}

type Rewrite = (text: string, row: { id: string; context: string }) => string | undefined

/** Puts what `rewritten` gives in the place of each value, where it gives one. */
async function rewrite(tx: Transaction, which: 'open' | 'all', rewritten: Rewrite): Promise<number> {
  let changed = 0
  for (const { table, column, id: idSql } of SEALED_COLUMNS) {
    const { rows } = await tx.query<{ id: string; text: string }>(
      `select ${idSql} as id, ${column} as text from ${table}
       where ${idSql} is not null and ${column} ${which === 'all' ? 'is not null' : "not like 'sealed.v1.%'"} for update`,
    )
    for (const { id, text } of rows) {
      const replacement = rewritten(text, { id, context: sealedAs(`${table}.${column}`, id) })
      if (replacement === undefined) continue
      await tx.query(`update ${table} set ${column} = $2 where ${idSql} = $1`, [id, replacement])
      changed++
    }
  }
  return changed
}

const EARLIER_PREFIX = 'sealed:'
const IV_BYTES = 12
const TAG_BYTES = 16

/** undefined: it was sealed while the API had another secret key, and nobody can read it any more. */
function openEarlier(sealed: string, owner: string, apiSecret: string): string | undefined {
  const key = Buffer.from(hkdfSync('sha256', apiSecret, 'walking-together auth', 'factor secrets', 32))
  const bytes = Buffer.from(sealed.slice(EARLIER_PREFIX.length), 'base64url')
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return undefined
  }
}
