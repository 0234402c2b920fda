import { randomUUID } from 'node:crypto'
import type { Transaction } from '#server/database/port.ts'
import type { NewKey, StoredKey } from './webauthn/keys.ts'

export interface PasskeyRow extends Omit<StoredKey, 'id'> {
  id: string
  user_id: string
  /** Base64url, as authenticators and browsers write it. */
  credentialId: string
  friendly_name: string
  created_at: string
  last_used_at: string | null
}

interface RawRow extends Omit<PasskeyRow, 'credentialId' | 'publicKey' | 'counter'> {
  sign_count: number
  credential_hex: string
  key_hex: string
}

const PASSKEY = `select to_jsonb(p) - 'credential_id' - 'public_key' || jsonb_build_object(
  'credential_hex', encode(p.credential_id, 'hex'), 'key_hex', encode(p.public_key, 'hex')) as passkey
  from auth.webauthn_credentials p`

async function read(tx: Transaction, condition: string, values: string[]): Promise<PasskeyRow[]> {
  const { rows } = await tx.query<{ passkey: RawRow }>(`${PASSKEY} where ${condition}`, values)
  return rows.map(({ passkey: { sign_count, credential_hex, key_hex, ...row } }) => ({
    ...row,
    credentialId: Buffer.from(credential_hex, 'hex').toString('base64url'),
    publicKey: Buffer.from(key_hex, 'hex').toString('base64url'),
    counter: sign_count,
  }))
}

/** A user's passkeys, the oldest first. */
export const findPasskeysOf = (tx: Transaction, userId: string): Promise<PasskeyRow[]> =>
  read(tx, 'p.user_id = $1 order by p.created_at, p.id', [userId])

export const findPasskey = async (
  tx: Transaction,
  id: string,
  userId: string,
): Promise<PasskeyRow | undefined> => (await read(tx, 'p.id = $1 and p.user_id = $2', [id, userId]))[0]

/** By the name that the authenticator itself gives its key. */
export const findPasskeyByCredential = async (
  tx: Transaction,
  credentialId: string,
): Promise<PasskeyRow | undefined> =>
  (await read(tx, 'p.credential_id = $1::bytea', [toBytea(credentialId)]))[0]

/** Errors: SqlError 23505 when the key is registered already, by whomever. */
export async function insertPasskey(
  tx: Transaction,
  { userId, key, name, at }: { userId: string; key: NewKey; name: string; at: string },
): Promise<string> {
  const id = randomUUID()
  await tx.query(
    `insert into auth.webauthn_credentials (id, user_id, credential_id, public_key, attestation_type, aaguid,
       sign_count, transports, backup_eligible, backed_up, friendly_name, created_at, updated_at)
     values ($1, $2, $3::bytea, $4::bytea, 'none', $5, $6, $7, $8, $9, $10, $11, $11)`,
    [
      id,
      userId,
      toBytea(key.id),
      toBytea(key.publicKey),
      key.aaguid,
      key.counter,
      JSON.stringify(key.transports),
      key.backupEligible,
      key.backedUp,
      name,
      at,
    ],
  )
  return id
}

/** Notes a sign-in. False when another one was faster with the same count: only a copy of the key can be. */
export async function notePasskeyUse(
  tx: Transaction,
  id: string,
  { counter, backedUp, at }: { counter: number; backedUp: boolean; at: string },
): Promise<boolean> {
  const { affected } = await tx.query(
    `update auth.webauthn_credentials set sign_count = $2, backed_up = $3, last_used_at = $4
     where id = $1 and (sign_count < $2 or ($2 = 0 and sign_count = 0))`,
    [id, counter, backedUp, at],
  )
  return affected > 0
}

export async function renamePasskey(tx: Transaction, id: string, name: string, at: string): Promise<void> {
  await tx.query('update auth.webauthn_credentials set friendly_name = $2, updated_at = $3 where id = $1', [
    id,
    name,
    at,
  ])
}

export async function deletePasskey(tx: Transaction, id: string): Promise<void> {
  await tx.query('delete from auth.webauthn_credentials where id = $1', [id])
}

const toBytea = (base64url: string): string => `\\x${Buffer.from(base64url, 'base64url').toString('hex')}`
