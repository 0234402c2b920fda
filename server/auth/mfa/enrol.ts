import { randomUUID } from 'node:crypto'
import type { Transaction } from '#server/database/port.ts'
import { sealedAs } from '#server/tokens/encryption.ts'
import { audit } from '../audit.ts'
import type { Client, Member, Services } from '../context.ts'
import { mfaErrors } from '../errors.ts'
import { reload } from '../users/accounts.ts'
import type { UserRow } from '../users/user.ts'
import { lockMember } from './assurance.ts'
import { CHALLENGE_LIFETIME_SECONDS } from './challenges.ts'
import { deleteFactor, deleteUnverified, insertFactor, SEALED_SECRET } from './repository.ts'
import { newTotp } from './totp.ts'

const MOST_FACTORS = 10
export const TO_ENROLL = { message: 'AAL2 required to enroll a new factor' }

export type Wish = { name: string | undefined; client: Client } & (
  | { type: 'totp'; issuer: string }
  | { type: 'phone'; phone: string }
  | { type: 'webauthn' }
)

/**
 * A new factor, of use once it has been verified; what its owner has to see of it is in the answer and never again.
 * Errors: insufficient_aal, mfa_factor_name_conflict, too_many_enrolled_mfa_factors, mfa_verified_factor_exists.
 */
export async function enrol(services: Services, member: Member, wish: Wish) {
  const id = randomUUID()
  const label = member.user.email || member.user.phone || member.user.id
  const totp = wish.type === 'totp' ? await newTotp({ issuer: wish.issuer, label }) : undefined
  await services.db.asOwner('enrol factor', async (tx) => {
    const user = await makeRoom(tx, services, member, wish)
    await insertFactor(tx, {
      id,
      userId: user.id,
      type: wish.type,
      name: wish.name,
      at: new Date(services.now()).toISOString(),
      ...(totp && { secret: services.sealing.seal(totp.secret, sealedAs(SEALED_SECRET, id)) }),
      ...(wish.type === 'phone' && { phone: wish.phone }),
    })
    const traits = { factor_id: id, factor_type: wish.type }
    await audit(tx, { action: 'factor_in_progress', actor: user, client: wish.client, traits })
  })
  return {
    id,
    type: wish.type,
    ...(wish.name && { friendly_name: wish.name }),
    ...(totp && { totp }),
    ...(wish.type === 'phone' && { phone: wish.phone }),
  }
}

/** Clears away enrolments that were given up, and looks whether another one may be added. */
async function makeRoom(tx: Transaction, { now }: Services, member: Member, wish: Wish): Promise<UserRow> {
  const { user: locked } = await lockMember(tx, member, { now: now(), refusal: TO_ENROLL })
  const before = new Date(now() - CHALLENGE_LIFETIME_SECONDS * 1000).toISOString()
  await deleteUnverified(tx, { userId: locked.id, before })
  if (wish.type === 'phone') await replacePhone(tx, await reload(tx, locked.id), wish.phone)
  const user = await reload(tx, locked.id)
  if (user.factors.filter((factor) => factor.factor_type !== 'recovery_code').length >= MOST_FACTORS) {
    throw mfaErrors.tooMany()
  }
  if (wish.name && user.factors.some((factor) => factor.friendly_name === wish.name))
    throw mfaErrors.nameTaken()
  return user
}

async function replacePhone(tx: Transaction, user: UserRow, phone: string): Promise<void> {
  const same = user.factors.find((factor) => factor.phone === phone)
  if (same?.status === 'verified') throw mfaErrors.verifiedPhoneExists()
  if (same) await deleteFactor(tx, same.id)
}
