import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Transaction } from '#server/database/port.ts'
import { sealedAs } from '#server/tokens/encryption.ts'
import { audit } from '../audit.ts'
import {
  type AuthContext,
  type Client,
  clientOf,
  type Endpoint,
  type Member,
  nowIso,
  type Services,
} from '../context.ts'
import { notifyAccountChange } from '../emails.ts'
import { authErrors, mfaErrors } from '../errors.ts'
import { optional, phone, readBody } from '../request-body.ts'
import { reload } from '../users/accounts.ts'
import { findUser } from '../users/queries.ts'
import type { UserRow } from '../users/user.ts'
import { downgradeSessions, lockMember, mustBeAal2IfEnrolled } from './assurance.ts'
import { CHALLENGE_LIFETIME_SECONDS } from './challenge.ts'
import {
  deleteFactor,
  deleteUnverifiedFactors,
  factorName,
  findFactor,
  idInPath,
  insertFactor,
  SEALED_SECRET,
} from './factors.ts'
import { newTotp } from './totp.ts'

const Body = z.object({
  factor_type: z.enum(
    ['totp', 'phone', 'webauthn'],
    'factor_type needs to be either totp, phone, or webauthn',
  ),
  friendly_name: optional(factorName),
  issuer: optional(z.string().max(100, 'issuer cannot be longer than 100 characters')),
  phone: optional(phone),
})

const MOST_FACTORS = 10
export const TO_ENROLL = { message: 'AAL2 required to enroll a new factor' }

type EnrollOptions = { name: string | undefined; client: Client } & (
  | { type: 'totp'; issuer: string }
  | { type: 'phone'; phone: string }
  | { type: 'webauthn' }
)

/** POST /factors: begins to add a second factor. */
export const enrollFactor: Endpoint = async (c) => {
  const { services, member } = c.var
  const body = await readBody(c, Body)
  const { hostname } = new URL(services.settings.siteUrl)
  const options = optionsOf(body, hostname)
  return c.json(await enroll(services, member, { ...options, name: body.friendly_name, client: clientOf(c) }))
}

type OptionsOf<W> = W extends EnrollOptions ? Omit<W, 'name' | 'client'> : never

function optionsOf(
  { factor_type: type, issuer, phone }: z.output<typeof Body>,
  site: string,
): OptionsOf<EnrollOptions> {
  if (type === 'totp') return { type, issuer: issuer ?? site }
  if (type === 'webauthn') return { type }
  if (!phone) throw authErrors.invalid('A phone number is needed to enroll a phone factor')
  return { type, phone }
}

/**
 * A new factor, of use once it has been verified; what its owner has to see of it is in the answer and never again.
 * Errors: insufficient_aal, mfa_factor_name_conflict, too_many_enrolled_mfa_factors, mfa_verified_factor_exists.
 */
async function enroll(services: Services, member: Member, options: EnrollOptions) {
  const id = randomUUID()
  const label = member.user.email || member.user.phone || member.user.id
  const totp = options.type === 'totp' ? await newTotp({ issuer: options.issuer, label }) : undefined
  await services.db.asOwner('enroll factor', async (tx) => {
    const user = await makeRoom(tx, services, member, options)
    await insertFactor(tx, {
      id,
      userId: user.id,
      type: options.type,
      name: options.name,
      at: nowIso(services),
      ...(totp && { secret: services.sealing.seal(totp.secret, sealedAs(SEALED_SECRET, id)) }),
      ...(options.type === 'phone' && { phone: options.phone }),
    })
    const traits = { factor_id: id, factor_type: options.type }
    await audit(tx, { action: 'factor_in_progress', actor: user, client: options.client, traits })
  })
  return {
    id,
    type: options.type,
    ...(options.name && { friendly_name: options.name }),
    ...(totp && { totp }),
    ...(options.type === 'phone' && { phone: options.phone }),
  }
}

/** Clears away enrolments that were given up, and looks whether another one may be added. */
async function makeRoom(
  tx: Transaction,
  { now }: Services,
  member: Member,
  options: EnrollOptions,
): Promise<UserRow> {
  const { user: locked } = await lockMember(tx, member, { now: now(), refusal: TO_ENROLL })
  const before = new Date(now() - CHALLENGE_LIFETIME_SECONDS * 1000).toISOString()
  await deleteUnverifiedFactors(tx, { userId: locked.id, before })
  if (options.type === 'phone') await replacePhone(tx, await reload(tx, locked.id), options.phone)
  const user = await reload(tx, locked.id)
  if (user.factors.filter((factor) => factor.factor_type !== 'recovery_code').length >= MOST_FACTORS) {
    throw mfaErrors.tooMany()
  }
  if (options.name && user.factors.some((factor) => factor.friendly_name === options.name))
    throw mfaErrors.nameTaken()
  return user
}

async function replacePhone(tx: Transaction, user: UserRow, phone: string): Promise<void> {
  const same = user.factors.find((factor) => factor.phone === phone)
  if (same?.status === 'verified') throw mfaErrors.verifiedPhoneExists()
  if (same) await deleteFactor(tx, same.id)
}

export const TO_UNENROLL = { status: 422, message: 'AAL2 required to unenroll verified factor' } as const

/** An enrolment that was given up protects nothing, and may go at any level. */
export const isFactorVerified = (c: AuthContext): boolean => {
  const id = idInPath(c, 'factor_id').toLowerCase()
  return c.var.member.user.factors.some((factor) => factor.id === id && factor.status === 'verified')
}

/** DELETE /factors/{factor_id}: a verified one only in a session that has given a second factor. */
export const unenrollFactor: Endpoint = async (c) => {
  const { services, member } = c.var
  const id = idInPath(c, 'factor_id')
  await services.db.asOwner('unenroll factor', async (tx) => {
    const current = await lockMember(tx, member, { now: services.now(), aal2: false })
    const factor = await findFactor(tx, id, member.user.id)
    if (!factor) throw mfaErrors.notFound()
    if (factor.status === 'verified') mustBeAal2IfEnrolled(current, TO_UNENROLL)
    await removeFactor(tx, member.user.id, id)
    const traits = { factor_id: id, factor_type: factor.factor_type, factor_status: factor.status }
    await audit(tx, { action: 'factor_unenrolled', actor: member.user, client: clientOf(c), traits })
    if (factor.status === 'verified')
      await notifyAccountChange(tx, services, member.user, 'factorRemoved', factor.friendly_name ?? undefined)
  })
  return c.json({ id })
}

/** Takes a factor away, with recovery codes that would be left alone, and the assurance that it gave to sessions. */
export async function removeFactor(tx: Transaction, userId: string, factorId: string): Promise<void> {
  await findUser(tx, { id: userId }, { lock: true })
  await deleteFactor(tx, factorId)
  const left = (await reload(tx, userId)).factors.filter(({ status }) => status === 'verified')
  if (left.every(({ factor_type: type }) => type === 'recovery_code')) {
    for (const { id } of left) await deleteFactor(tx, id)
  }
  await downgradeSessions(tx, userId)
}
