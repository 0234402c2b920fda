import { randomUUID } from 'node:crypto'
import type { Transaction } from '#server/database/port.ts'
import { mfaErrors } from '../errors.ts'
import { updateFactor } from './repository.ts'

/** A challenge must be answered within five minutes. */
export const CHALLENGE_LIFETIME_SECONDS = 300

export interface ChallengeRow {
  id: string
  factor_id: string
  created_at: string
  /** Digest of the code in a text message. */
  otp_code: string | null
  /** What a security key has to sign. */
  web_authn_session_data: { challenge: string } | null
}

interface NewChallenge {
  id?: string
  factorId: string
  sessionId: string
  address: string | undefined
  codeDigest?: string
  webauthnChallenge?: string
  /** Milliseconds since 1970. */
  now: number
}

/** Keeps a challenge, bound to its session, and sweeps the factor's old ones. */
export async function insertChallenge(tx: Transaction, challenge: NewChallenge) {
  const { id = randomUUID(), factorId, sessionId, address, codeDigest, webauthnChallenge, now } = challenge
  const at = new Date(now).toISOString()
  await tx.query('delete from auth.mfa_challenges where factor_id = $1 and created_at < $2', [
    factorId,
    new Date(now - CHALLENGE_LIFETIME_SECONDS * 1000).toISOString(),
  ])
  await tx.query(
    `insert into auth.mfa_challenges
       (id, factor_id, session_id, created_at, ip_address, otp_code, web_authn_session_data)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      id,
      factorId,
      sessionId,
      at,
      address ?? '0.0.0.0',
      codeDigest ?? null,
      webauthnChallenge ? JSON.stringify({ challenge: webauthnChallenge }) : null,
    ],
  )
  await updateFactor(tx, factorId, { last_challenged_at: at })
  return { id, expiresAt: Math.floor(now / 1000) + CHALLENGE_LIFETIME_SECONDS }
}

interface Asked {
  id: string
  factorId: string
  sessionId: string
  now: number
}

/**
 * The challenge, if it was made for this factor in this session. Errors: mfa_factor_not_found for any other (used ones
 * are gone), mfa_challenge_expired.
 */
export async function findChallenge(tx: Transaction, { id, factorId, sessionId, now }: Asked) {
  const { rows } = await tx.query<{ challenge: ChallengeRow }>(
    `select to_jsonb(c) as challenge from auth.mfa_challenges c
     where c.id = $1 and c.factor_id = $2 and c.session_id = $3 for update`,
    [id, factorId, sessionId],
  )
  const challenge = rows[0]?.challenge
  if (!challenge) throw mfaErrors.unknownChallenge()
  if (Date.parse(challenge.created_at) + CHALLENGE_LIFETIME_SECONDS * 1000 <= now) {
    throw mfaErrors.challengeExpired()
  }
  return challenge
}

/** An answered challenge cannot be answered again. */
export async function deleteChallenge(tx: Transaction, id: string): Promise<void> {
  await tx.query('delete from auth.mfa_challenges where id = $1', [id])
}
