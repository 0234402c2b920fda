import { randomUUID } from 'node:crypto'
import type { Transaction } from '#server/database/port.ts'
import { audit } from '../audit.ts'
import type { Client, Member, Services } from '../context.ts'
import { withSendCooldown } from '../emails.ts'
import { authErrors } from '../errors.ts'
import { creationOptions, relyingPartyOf, requestOptions } from '../passkeys/webauthn.ts'
import { digest } from '../secrets.ts'
import { enqueueSms } from '../sms/queue.ts'
import { CHALLENGE_LIFETIME_SECONDS, insertChallenge } from './challenges.ts'
import type { StoredFactor } from './repository.ts'

interface Question {
  factor: StoredFactor
  channel: 'sms' | 'whatsapp'
  client: Client
}

type Extra = { id?: string; codeDigest?: string; webauthnChallenge?: string }

/** Asks for a factor: keeps what the answer will be checked by, and tells or sends what its owner needs. */
export async function askFor(services: Services, member: Member, question: Question) {
  const { factor } = question
  if (factor.factor_type === 'recovery_code') {
    throw authErrors.invalid('Recovery codes are verified without a challenge')
  }
  if (factor.factor_type === 'phone') return textCode(services, member, question)
  if (factor.factor_type === 'webauthn') return askForKey(services, member, question)
  return keep(services, member, question, {})
}

/** Errors: over_sms_send_rate_limit. */
async function textCode(services: Services, member: Member, question: Question) {
  const phone = question.factor.phone ?? ''
  const id = randomUUID()
  const code = services.settings.testOtps.get(phone) ?? services.secrets.code(id)
  const codeDigest = digest(services.secrets.linkSecret(id, code))
  const message = { phone, channel: question.channel, user: member.user, codeId: id }
  return withSendCooldown(services, { kind: 'mfa', phone }, () =>
    keep(services, member, question, { id, codeDigest }, (tx) => enqueueSms(tx, services, message)),
  )
}

/** A key that is still unverified is made now, in the browser; one that is there signs. */
async function askForKey(services: Services, member: Member, question: Question) {
  const { web_authn_credential: key } = question.factor
  const party = relyingPartyOf(services.settings)
  const { id, email, phone } = member.user
  const terms = { use: 'second factor', seconds: CHALLENGE_LIFETIME_SECONDS } as const
  const publicKey = key
    ? await requestOptions(party, { ...terms, allowed: [key] })
    : await creationOptions(party, { ...terms, person: { id, name: email || phone || id }, known: [] })
  const answer = await keep(services, member, question, { webauthnChallenge: publicKey.challenge })
  return { ...answer, webauthn: { type: key ? 'request' : 'create', credential_options: { publicKey } } }
}

async function keep(
  { db, now }: Services,
  { user, session }: Member,
  { factor, client }: Question,
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
