import { randomInt, randomUUID } from 'node:crypto'
import type { Transaction } from '#server/database/port.ts'
import { mfaErrors } from '../errors.ts'
import { digest } from '../secrets.ts'
import type { FactorRow, UserRow } from '../users/user.ts'

const HOW_MANY = 10
const LENGTH = 16
/** Without letters and digits that look alike. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz'

/** The factor that stands for a user's set of codes. Errors: mfa_factor_not_found. */
export function recoveryFactorOf({ factors }: Pick<UserRow, 'factors'>): FactorRow {
  const factor = factors.find(({ factor_type: type }) => type === 'recovery_code')
  if (!factor) throw mfaErrors.notFound()
  return factor
}

const newCode = (): string =>
  Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** Ten new codes in place of those that were there. They are in no other place than this answer. */
export async function replaceCodes(tx: Transaction, factorId: string, at: string): Promise<string[]> {
  const codes = Array.from({ length: HOW_MANY }, newCode)
  await tx.query('delete from auth.mfa_recovery_codes where factor_id = $1', [factorId])
  for (const code of codes) {
    await tx.query(
      'insert into auth.mfa_recovery_codes (id, factor_id, code_hash, created_at) values ($1, $2, $3, $4)',
      [randomUUID(), factorId, digest(code), at],
    )
  }
  return codes
}

/** Uses a code up: of two requests with one code, one gets false. Case, blanks and dashes do not matter. */
export async function takeCode(
  tx: Transaction,
  factorId: string,
  typed: string,
  at: string,
): Promise<boolean> {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, '')
  const { affected } = await tx.query(
    'update auth.mfa_recovery_codes set used_at = $3 where factor_id = $1 and code_hash = $2 and used_at is null',
    [factorId, digest(code), at],
  )
  return affected > 0
}

export async function countCodes(
  tx: Transaction,
  factorId: string,
): Promise<{ total: number; remaining: number }> {
  const { rows } = await tx.query<{ total: number; remaining: number }>(
    `select count(*) as total, count(*) filter (where used_at is null) as remaining
     from auth.mfa_recovery_codes where factor_id = $1`,
    [factorId],
  )
  return rows[0] ?? { total: 0, remaining: 0 }
}
