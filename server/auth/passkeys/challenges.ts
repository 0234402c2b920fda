import { randomUUID } from 'node:crypto'
import type { Transaction } from '#server/database/port.ts'
import { passkeyErrors } from '../errors.ts'

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
