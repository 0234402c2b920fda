import { z } from 'zod'
import { isUniqueViolation, type Transaction } from '#server/database/port.ts'
import type { AuthContext } from '../context.ts'
import { authErrors, mfaErrors } from '../errors.ts'
import type { StoredKey } from '../passkeys/webauthn.ts'
import type { FactorRow } from '../users/user.ts'

/** A factor with what it is checked by; never leaves the service. */
export interface StoredFactor extends FactorRow {
  user_id: string
  /** Sealed, for totp. */
  secret: string | null
  web_authn_credential: StoredKey | null
}

/** Where the secret of an authenticator app is kept, sealed for the id of the factor. */
export const SEALED_SECRET = 'auth.mfa_factors.secret'

const FACTOR = 'select to_jsonb(f) as factor from auth.mfa_factors f'

/** The factor, if it is that user's. */
export async function findFactor(
  tx: Transaction,
  id: string,
  userId: string,
): Promise<StoredFactor | undefined> {
  const { rows } = await tx.query<{ factor: StoredFactor }>(`${FACTOR} where f.id = $1 and f.user_id = $2`, [
    id,
    userId,
  ])
  return rows[0]?.factor
}

interface NewFactor {
  id: string
  userId: string
  type: FactorRow['factor_type']
  name: string | undefined
  status?: FactorRow['status']
  phone?: string
  secret?: string
  at: string
}

/** Errors: SqlError 23505 when the user has one of that name or phone. */
export async function insertFactor(tx: Transaction, factor: NewFactor): Promise<void> {
  const { id, userId, type, name, status = 'unverified', phone, secret, at } = factor
  await tx.query(
    `insert into auth.mfa_factors
       (id, user_id, friendly_name, factor_type, status, secret, phone, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
    [id, userId, name ?? '', type, status, secret ?? null, phone ?? null, at],
  )
}

type FactorChanges = Partial<
  Pick<FactorRow, 'status' | 'friendly_name' | 'phone' | 'last_challenged_at' | 'updated_at'> & {
    web_authn_credential: string
    web_authn_aaguid: string
  }
>

/** Writes the given columns; their names come from our own code. */
export async function updateFactor(tx: Transaction, id: string, changes: FactorChanges): Promise<void> {
  const assignments = Object.keys(changes).map((name, i) => `${name} = $${i + 2}`)
  await tx.query(`update auth.mfa_factors set ${assignments.join(', ')} where id = $1`, [
    id,
    ...Object.values(changes),
  ])
}

export async function deleteFactor(tx: Transaction, id: string): Promise<void> {
  await tx.query('delete from auth.mfa_factors where id = $1', [id])
}

interface Unverified {
  userId: string
  /** Only those that were made before. */
  before?: string
  except?: string
}

/** Enrolments that nobody has finished. */
export async function deleteUnverifiedFactors(
  tx: Transaction,
  { userId, before, except }: Unverified,
): Promise<void> {
  await tx.query(
    `delete from auth.mfa_factors where user_id = $1 and status = 'unverified'
     and ($2::timestamptz is null or created_at < $2) and ($3::uuid is null or id <> $3)`,
    [userId, before ?? null, except ?? null],
  )
}

/**
 * Accepts a time step of a totp factor, once and never an earlier one after it: of two requests with one code, one
 * gets false.
 */
export async function takeTotpStep(tx: Transaction, factorId: string, step: number): Promise<boolean> {
  const { affected } = await tx.query(
    `insert into platform.totp_steps as known (factor_id, step) values ($1, $2)
     on conflict (factor_id) do update set step = excluded.step where known.step < excluded.step`,
    [factorId, step],
  )
  return affected > 0
}

/** A name or number that the user has already. Errors: mfa_factor_name_conflict, mfa_verified_factor_exists. */
export function refuseTakenName(error: unknown): never {
  if (!isUniqueViolation(error)) throw error
  throw error.constraint?.includes('phone') ? mfaErrors.verifiedPhoneExists() : mfaErrors.nameTaken()
}

const MAX_NAME = 120

/** What its owner calls a factor or passkey. */
export const factorName = z
  .string()
  .trim()
  .max(MAX_NAME, `friendly_name cannot be longer than ${MAX_NAME} characters`)

const Uuid = z.guid()

/** An id in the path. Errors: 404 validation_failed, as GoTrue has it. */
export function idInPath(c: AuthContext, name: string): string {
  const { data } = Uuid.safeParse(c.req.param(name))
  if (!data) throw authErrors.notFoundId(`${name} must be an UUID`)
  return data
}

export const challengeId = z.guid('challenge_id must be an UUID')
