import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Transaction } from '#server/database/port.ts'
import { sealedAs } from '#server/tokens/encryption.ts'
import { auditRefusals } from '../audit.ts'
import { type Client, clientOf, type Endpoint, type Member, nowIso, type Services } from '../context.ts'
import { notifyAccountChange } from '../emails.ts'
import { authErrors, mfaErrors } from '../errors.ts'
import { checkCreation, checkRequest, type NewKey, relyingPartyOf } from '../passkeys/webauthn.ts'
import { optional, readBody } from '../request-body.ts'
import { digest } from '../secrets.ts'
import { type IssuedSession, tokenResponse } from '../sessions/lifecycle.ts'
import { lockMember, mustBeAal2IfEnrolled, upgradeSession } from './assurance.ts'
import { type ChallengeRow, deleteChallenge, findChallenge } from './challenge.ts'
import {
  challengeId,
  deleteUnverifiedFactors,
  findFactor,
  idInPath,
  SEALED_SECRET,
  type StoredFactor,
  takeTotpStep,
  updateFactor,
} from './factors.ts'
import { stepOf } from './totp.ts'

const Body = z.object({
  challenge_id: challengeId,
  code: optional(z.string().max(32, 'code is too long')),
  webauthn: optional(z.object({ credential_response: z.unknown() })),
})

/** POST /factors/{factor_id}/verify: the same session at aal2, for the answer to a challenge. */
export const verifyChallenge: Endpoint = async (c) => {
  const { services, member } = c.var
  const factorId = idInPath(c, 'factor_id')
  const body = await readBody(c, Body)
  const client = clientOf(c)
  const { challenge_id: challengeId, code } = body
  const answer = { factorId, challengeId, code, credential: body.webauthn?.credential_response, client }
  const guesses = `mfa:${member.user.id}`
  const attempt = { actor: member.user, client, traits: { factor_id: factorId } }
  const issued = await auditRefusals(services, attempt, async () => {
    await services.limits.count('code', guesses)
    return verifyFactor(services, member, answer)
  })
  await services.limits.forget('code', guesses)
  return c.json(await tokenResponse(services, issued))
}

interface Answer {
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
 * Upgrades the session for a right answer. The check stands between two transactions, because keys are checked outside of
 * any; whatever happened meanwhile is seen by the second. Errors: those of protocol.md section 3.
 */
async function verifyFactor(services: Services, member: Member, answer: Answer): Promise<IssuedSession> {
  const { db } = services
  const { factor, challenge } = await db.asOwner('second factor', (tx) =>
    findAnswered(tx, services, member, answer),
  )
  const evidence = await checkAnswer(services, factor, challenge, answer)
  return db.asOwner('second factor given', (tx) => acceptAnswer(tx, services, member, { answer, evidence }))
}

async function findAnswered(tx: Transaction, { now }: Services, { user, session }: Member, answer: Answer) {
  const factor = await findFactor(tx, answer.factorId, user.id)
  if (!factor) throw mfaErrors.notFound()
  const { id: factorId } = factor
  const asked = { id: answer.challengeId, factorId, sessionId: session.id, now: now() }
  return { factor, challenge: await findChallenge(tx, asked) }
}

async function checkAnswer(
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

async function acceptAnswer(
  tx: Transaction,
  services: Services,
  member: Member,
  { answer, evidence }: { answer: Answer; evidence: Evidence },
): Promise<IssuedSession> {
  const current = await lockMember(tx, member, { now: services.now(), aal2: false })
  const { user } = current
  const { factor, challenge } = await findAnswered(tx, services, member, answer)
  // A factor that somebody began to add before the account got its first one is no way around that.
  if (factor.status === 'unverified') mustBeAal2IfEnrolled(current)
  await deleteChallenge(tx, challenge.id)
  await keepEvidence(tx, factor, evidence)
  await updateFactor(tx, factor.id, {
    status: 'verified',
    updated_at: nowIso(services),
  })
  if (factor.status === 'unverified')
    await notifyAccountChange(tx, services, user, 'factorAdded', factor.friendly_name ?? undefined)
  await deleteUnverifiedFactors(tx, { userId: user.id, except: factor.id })
  return upgradeSession(tx, services, { ...current, factor, client: answer.client })
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
