import { timingSafeEqual } from 'node:crypto'
import type { Transaction } from '#server/database/port.ts'
import { sealedAs } from '#server/tokens/encryption.ts'
import type { Client, Member, Services } from '../context.ts'
import { notifyAccountChange } from '../emails.ts'
import { authErrors, mfaErrors } from '../errors.ts'
import { checkCreation, checkRequest, type NewKey, relyingPartyOf } from '../passkeys/webauthn.ts'
import { digest } from '../secrets.ts'
import type { IssuedSession } from '../sessions/lifecycle.ts'
import { lockMember, mustBeAal2IfEnrolled } from './assurance.ts'
import { type ChallengeRow, deleteChallenge, findChallenge } from './challenges.ts'
import { liftSession } from './lift-session.ts'
import {
  deleteUnverified,
  findFactor,
  SEALED_SECRET,
  type StoredFactor,
  takeTotpStep,
  updateFactor,
} from './repository.ts'
import { stepOf } from './totp.ts'

export interface Answer {
  factorId: string
  challengeId: string
  code: string | undefined
  /** What a security key has answered, as the client sent it. */
  credential: unknown
  client: Client
}

/** What a right answer leaves behind, so that it cannot be given again. */
type Evidence = { step: number } | { newKey: NewKey } | { counter: number } | 'code'

/**
 * Lifts the session for a right answer. The check stands between two transactions, because keys are checked outside of
 * any; whatever happened meanwhile is seen by the second. Errors: those of protocol.md section 3.
 */
export async function verifyFactor(
  services: Services,
  member: Member,
  answer: Answer,
): Promise<IssuedSession> {
  const { db } = services
  const { factor, challenge } = await db.asOwner('second factor', (tx) =>
    question(tx, services, member, answer),
  )
  const evidence = await check(services, factor, challenge, answer)
  return db.asOwner('second factor given', (tx) => accept(tx, services, member, { answer, evidence }))
}

async function question(tx: Transaction, { now }: Services, { user, session }: Member, answer: Answer) {
  const factor = await findFactor(tx, answer.factorId, user.id)
  if (!factor) throw mfaErrors.notFound()
  const { id: factorId } = factor
  const asked = { id: answer.challengeId, factorId, sessionId: session.id, now: now() }
  return { factor, challenge: await findChallenge(tx, asked) }
}

async function check(
  services: Services,
  factor: StoredFactor,
  challenge: ChallengeRow,
  answer: Answer,
): Promise<Evidence> {
  if (factor.factor_type === 'webauthn') return checkKey(services, factor, challenge, answer.credential)
  if (!answer.code) throw authErrors.invalid('Code needs to be non-empty')
  if (factor.factor_type === 'phone') return checkText(services, challenge, answer.code)
  const secret = secretOf(services, factor)
  const step = secret && stepOf(answer.code, secret, services.now())
  if (!step) throw mfaErrors.wrongCode()
  return { step }
}

/** undefined: it was sealed before a key was lost, and only its owner's recovery codes help. */
function secretOf({ sealing, log }: Services, { id, secret }: StoredFactor): string | undefined {
  if (!secret) return undefined
  // Rows that came from a Supabase project hold the secret itself until the next start.
  if (!secret.startsWith('sealed')) return secret
  try {
    return sealing.unseal(secret, sealedAs(SEALED_SECRET, id))
  } catch (error) {
    log.error(
      { error },
      'a second factor cannot be read: was the encryption key or SUPABASE_SECRET_KEY changed?',
    )
    return undefined
  }
}

function checkText({ secrets }: Services, { id, otp_code: kept }: ChallengeRow, code: string): Evidence {
  const given = Buffer.from(digest(secrets.linkSecret(id, code)))
  if (!kept || !timingSafeEqual(given, Buffer.from(kept))) throw mfaErrors.wrongCode()
  return 'code'
}

async function checkKey(
  { settings }: Services,
  { web_authn_credential: key, user_id: owner }: StoredFactor,
  { web_authn_session_data: data }: ChallengeRow,
  response: unknown,
): Promise<Evidence> {
  const party = relyingPartyOf(settings)
  const terms = { response, challenge: data?.challenge ?? '', use: 'second factor' } as const
  const used = key && (await checkRequest(party, { ...terms, key, owner }))
  if (used) return { counter: used.counter }
  const newKey = key ? undefined : await checkCreation(party, terms)
  if (!newKey) throw mfaErrors.wrongCredential()
  return { newKey }
}

async function accept(
  tx: Transaction,
  services: Services,
  member: Member,
  { answer, evidence }: { answer: Answer; evidence: Evidence },
): Promise<IssuedSession> {
  const current = await lockMember(tx, member, { now: services.now(), aal2: false })
  const { user } = current
  const { factor, challenge } = await question(tx, services, member, answer)
  // A factor that somebody began to add before the account got its first one is no way around that.
  if (factor.status === 'unverified') mustBeAal2IfEnrolled(current)
  await deleteChallenge(tx, challenge.id)
  await keepEvidence(tx, factor, evidence)
  await updateFactor(tx, factor.id, {
    status: 'verified',
    updated_at: new Date(services.now()).toISOString(),
  })
  if (factor.status === 'unverified')
    await notifyAccountChange(tx, services, user, 'factorAdded', factor.friendly_name ?? undefined)
  await deleteUnverified(tx, { userId: user.id, except: factor.id })
  return liftSession(tx, services, { ...current, factor, client: answer.client })
}

async function keepEvidence(tx: Transaction, factor: StoredFactor, evidence: Evidence): Promise<void> {
  if (evidence === 'code') return
  if ('step' in evidence) {
    if (!(await takeTotpStep(tx, factor.id, evidence.step))) throw mfaErrors.wrongCode()
    return
  }
  const known = factor.web_authn_credential
  const { aaguid, ...key } =
    'newKey' in evidence ? evidence.newKey : { ...known, ...evidence, aaguid: undefined }
  await updateFactor(tx, factor.id, {
    web_authn_credential: JSON.stringify(key),
    ...(aaguid && { web_authn_aaguid: aaguid }),
  })
}
