import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Transaction } from '#server/database/port.ts'
import { userIdOf, userToChange } from '../admin/users.ts'
import { audit, traitsOf } from '../audit.ts'
import { type AuthContext, clientOf, type Endpoint, nowIso } from '../context.ts'
import { notifyAccountChange } from '../emails.ts'
import { passkeyErrors } from '../errors.ts'
import { lockMember } from '../mfa/assurance.ts'
import { challengeId, factorName, idInPath } from '../mfa/factors.ts'
import { readBody } from '../request-body.ts'
import { instant } from '../users/user.ts'
import type { NewKey, StoredKey } from './webauthn.ts'

const Name = z.object({ friendly_name: factorName.min(1, 'friendly_name must not be empty') })

/** GET /passkeys: the member's own. */
export const listPasskeys: Endpoint = async (c) => {
  const { services, member } = c.var
  const passkeys = await services.db.asOwner('passkeys', (tx) => findPasskeysOf(tx, member.user.id))
  return c.json(passkeys.map(renderPasskey))
}

/** PATCH /passkeys/{passkey_id}: its name. */
export const updatePasskey: Endpoint = async (c) => {
  const { db, now } = c.var.services
  const id = idInPath(c, 'passkey_id')
  const { friendly_name: name } = await readBody(c, Name)
  const passkey = await db.asOwner('rename passkey', async (tx) => {
    const found = await ownPasskey(c, tx, id)
    await renamePasskey(tx, id, name, nowIso({ now }))
    await note(c, tx, 'passkey_updated', id)
    return { ...found, friendly_name: name }
  })
  return c.json(renderPasskey(passkey))
}

export const TO_REMOVE_PASSKEY = { message: 'AAL2 required to remove a passkey' }

/** DELETE /passkeys/{passkey_id} */
export const removePasskey: Endpoint = async (c) => {
  const id = idInPath(c, 'passkey_id')
  const { services, member } = c.var
  await services.db.asOwner('remove passkey', async (tx) => {
    await lockMember(tx, member, { now: services.now(), refusal: TO_REMOVE_PASSKEY })
    const { friendly_name: name } = await ownPasskey(c, tx, id)
    await deletePasskey(tx, id)
    await note(c, tx, 'passkey_deleted', id)
    await notifyAccountChange(tx, c.var.services, c.var.member.user, 'passkeyRemoved', name)
  })
  return c.body(null, 204)
}

async function ownPasskey(c: AuthContext, tx: Transaction, id: string) {
  const passkey = await findPasskey(tx, id, c.var.member.user.id)
  if (!passkey) throw passkeyErrors.notFound()
  return passkey
}

const note = (c: AuthContext, tx: Transaction, action: 'passkey_updated' | 'passkey_deleted', id: string) =>
  audit(tx, { action, actor: c.var.member.user, client: clientOf(c), traits: { passkey_id: id } })

/** GET /admin/users/{id}/passkeys */
export const listAnyPasskeys: Endpoint = async (c) => {
  const id = userIdOf(c)
  const passkeys = await c.var.services.db.asOwner('list passkeys', async (tx) =>
    findPasskeysOf(tx, (await userToChange(tx, id)).id),
  )
  return c.json(passkeys.map(renderPasskey))
}

/** DELETE /admin/users/{id}/passkeys/{passkey_id} */
export const removeAnyPasskey: Endpoint = async (c) => {
  const [id, passkeyId] = [userIdOf(c), idInPath(c, 'passkey_id')]
  await c.var.services.db.asOwner('delete passkey', async (tx) => {
    const user = await userToChange(tx, id)
    const passkey = await findPasskey(tx, passkeyId, id)
    if (!passkey) throw passkeyErrors.notFound()
    await deletePasskey(tx, passkeyId)
    const traits = { ...traitsOf(user), passkey_id: passkeyId }
    await audit(tx, { action: 'passkey_deleted', actor: undefined, client: clientOf(c), traits })
    await notifyAccountChange(tx, c.var.services, user, 'passkeyRemoved', passkey.friendly_name)
  })
  return c.body(null, 204)
}

/** A passkey as clients know it; neither key nor credential. */
export const renderPasskey = ({ id, friendly_name, created_at, last_used_at }: PasskeyRow) => ({
  id,
  friendly_name,
  created_at: instant(created_at),
  ...(last_used_at && { last_used_at: instant(last_used_at) }),
})

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

async function renamePasskey(tx: Transaction, id: string, name: string, at: string): Promise<void> {
  await tx.query('update auth.webauthn_credentials set friendly_name = $2, updated_at = $3 where id = $1', [
    id,
    name,
    at,
  ])
}

async function deletePasskey(tx: Transaction, id: string): Promise<void> {
  await tx.query('delete from auth.webauthn_credentials where id = $1', [id])
}

const toBytea = (base64url: string): string => `\\x${Buffer.from(base64url, 'base64url').toString('hex')}`

/** What a client sends after a ceremony; the credential is looked into when its challenge is known to be good. */
export const PasskeyAnswer = z.object({
  challenge_id: challengeId,
  credential: z.record(z.string(), z.unknown(), 'credential must be an object'),
})

/** As for second factors, and as a browser's own prompt waits. */
export const PASSKEY_CHALLENGE_SECONDS = 300

/** Somebody who adds a passkey in a session of theirs, or nobody yet who is about to sign in by one. */
export type Ceremony =
  | { type: 'registration'; userId: string; sessionId: string }
  | { type: 'authentication' }

/** Keeps a challenge for its ceremony, and sweeps those that are over. */
export async function keepChallenge(tx: Transaction, ceremony: Ceremony, challenge: string, now: number) {
  const id = randomUUID()
  const isRegistration = ceremony.type === 'registration'
  const expiresAt = Math.floor(now / 1000) + PASSKEY_CHALLENGE_SECONDS
  await tx.query('delete from auth.webauthn_challenges where expires_at < $1', [
    new Date(now - PASSKEY_CHALLENGE_SECONDS * 1000).toISOString(),
  ])
  await tx.query(
    `insert into auth.webauthn_challenges (id, user_id, challenge_type, session_data, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [
      id,
      isRegistration ? ceremony.userId : null,
      ceremony.type,
      JSON.stringify({ challenge, ...(isRegistration && { session_id: ceremony.sessionId }) }),
      new Date(now).toISOString(),
      new Date(expiresAt * 1000).toISOString(),
    ],
  )
  return { challenge_id: id, expires_at: expiresAt }
}

interface TakenRow {
  user_id: string | null
  session_data: { challenge: string; session_id?: string }
  expires_at: string
}

/**
 * What has to be signed. Taken once, whatever becomes of it, but left alone by whoever it is not for: another user,
 * another session, another ceremony. Errors: webauthn_challenge_not_found, webauthn_challenge_expired.
 */
export async function takeChallenge(tx: Transaction, id: string, ceremony: Ceremony): Promise<TakenRow> {
  const { rows } = await tx.query<{ taken: TakenRow }>(
    `delete from auth.webauthn_challenges c where c.id = $1 and c.challenge_type = $2
     and c.user_id is not distinct from $3::uuid and c.session_data ->> 'session_id' is not distinct from $4::text
     returning to_jsonb(c) as taken`,
    [id, ceremony.type, ...ownerOf(ceremony)],
  )
  const taken = rows[0]?.taken
  if (!taken) throw passkeyErrors.unknownChallenge()
  return taken
}

const ownerOf = (ceremony: Ceremony): [string | null, string | null] =>
  ceremony.type === 'registration' ? [ceremony.userId, ceremony.sessionId] : [null, null]

/** Outside of the transaction that took it, so that an expired one stays taken. */
export function mustBeInTime({ expires_at: until }: TakenRow, now: number): void {
  if (Date.parse(until) <= now) throw passkeyErrors.challengeExpired()
}
