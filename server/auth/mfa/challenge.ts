import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Transaction } from '#server/database/port.ts'
import { audit } from '../audit.ts'
import { type Client, clientOf, type Endpoint, type Member, type Services } from '../context.ts'
import { authErrors, mfaErrors } from '../errors.ts'
import { creationOptions, relyingPartyOf, requestOptions } from '../passkeys/webauthn.ts'
import { withSendCooldown } from '../rate-limits.ts'
import { channel, optional, readOptionalBody } from '../request-body.ts'
import { digest } from '../secrets.ts'
import { enqueueSms } from '../sms.ts'
import { findFactor, idInPath, type StoredFactor, updateFactor } from './factors.ts'

/** auth-js names the relying party here too; the site's own address decides about that. */
const Body = z.object({ channel: optional(channel) })

/** POST /factors/{factor_id}/challenge: asks for a second factor; a code goes to its phone. */
export const challengeFactor: Endpoint = async (c) => {
  const { services, member } = c.var
  const id = idInPath(c, 'factor_id')
  const { channel = 'sms' } = await readOptionalBody(c, Body)
  const factor = await services.db.asOwner('find factor', (tx) => findFactor(tx, id, member.user.id))
  if (!factor) throw mfaErrors.notFound()
  return c.json(await startChallenge(services, member, { factor, channel, client: clientOf(c) }))
}

interface ChallengeOptions {
  factor: StoredFactor
  channel: 'sms' | 'whatsapp'
  client: Client
}

type Extra = { id?: string; codeDigest?: string; webauthnChallenge?: string }

/** Asks for a factor: keeps what the answer will be checked by, and tells or sends what its owner needs. */
async function startChallenge(services: Services, member: Member, options: ChallengeOptions) {
  const { factor } = options
  if (factor.factor_type === 'recovery_code') {
    throw authErrors.invalid('Recovery codes are verified without a challenge')
  }
  if (factor.factor_type === 'phone') return textChallenge(services, member, options)
  if (factor.factor_type === 'webauthn') return challengeKey(services, member, options)
  return createChallenge(services, member, options, {})
}

/** Errors: over_sms_send_rate_limit. */
async function textChallenge(services: Services, member: Member, options: ChallengeOptions) {
  const phone = options.factor.phone ?? ''
  const id = randomUUID()
  const code = services.settings.testOtps.get(phone) ?? services.secrets.code(id)
  const codeDigest = digest(services.secrets.linkSecret(id, code))
  const message = { phone, channel: options.channel, user: member.user, codeId: id }
  return withSendCooldown(services, { kind: 'mfa', phone }, () =>
    createChallenge(services, member, options, { id, codeDigest }, (tx) => enqueueSms(tx, services, message)),
  )
}

/** A key that is still unverified is made now, in the browser; one that is there signs. */
async function challengeKey(services: Services, member: Member, options: ChallengeOptions) {
  const { web_authn_credential: key } = options.factor
  const party = relyingPartyOf(services.settings)
  const { id, email, phone } = member.user
  const terms = { use: 'second factor', seconds: CHALLENGE_LIFETIME_SECONDS } as const
  const publicKey = key
    ? await requestOptions(party, { ...terms, allowed: [key] })
    : await creationOptions(party, { ...terms, person: { id, name: email || phone || id }, known: [] })
  const answer = await createChallenge(services, member, options, { webauthnChallenge: publicKey.challenge })
  return { ...answer, webauthn: { type: key ? 'request' : 'create', credential_options: { publicKey } } }
}

async function createChallenge(
  { db, now }: Services,
  { user, session }: Member,
  { factor, client }: ChallengeOptions,
  extra: Extra,
  alsoDo: (tx: Transaction) => Promise<unknown> = async () => undefined,
) {
  const { id, expiresAt } = await db.asOwner('challenge', async (tx) => {
    const traits = { factor_id: factor.id, factor_type: factor.factor_type }
    await audit(tx, { action: 'challenge_created', actor: user, client, traits })
    const about = { factorId: factor.id, sessionId: session.id, address: client.address, now: now() }
    const challenge = await insertChallenge(tx, { ...about, ...extra })
    await alsoDo(tx)
    return challenge
  })
  return { id, type: factor.factor_type, expires_at: expiresAt }
}

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
async function insertChallenge(tx: Transaction, challenge: NewChallenge) {
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

interface AnsweredChallenge {
  id: string
  factorId: string
  sessionId: string
  now: number
}

/**
 * The challenge, if it was made for this factor in this session. Errors: mfa_factor_not_found for any other (used ones
 * are gone), mfa_challenge_expired.
 */
export async function findChallenge(tx: Transaction, { id, factorId, sessionId, now }: AnsweredChallenge) {
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
