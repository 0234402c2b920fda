import { createRequire } from 'node:module'

/** The package itself: `vitest.config.ts` puts this module in its place. */
const bcrypt = createRequire(import.meta.url)('@node-rs/bcrypt') as typeof import('@node-rs/bcrypt')

const LEAST_COST = 10
const QUICK_COST = 4

/** Set to anything, hashes are as dear as the service's, from the next time that its modules are loaded. */
export const FULL_COST = 'TEST_FULL_PASSWORD_COST'

/**
 * Passwords in tests are worth nothing, and a thousand real hashes took a minute of a processor: what is asked for is
 * checked, and a cheap hash is made. Errors: the service has asked for a cheaper hash than it should.
 */
export function hash(password: string, { cost }: { cost: number }): Promise<string> {
  if (cost < LEAST_COST) throw new Error(`a password would be hashed with a cost of ${cost}`)
  return bcrypt.hash(password, { cost: process.env[FULL_COST] ? cost : QUICK_COST })
}

export const { verify } = bcrypt
