import { z } from 'zod'
import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'

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
