import { argon2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { verify as verifyBcrypt } from '@node-rs/bcrypt'

const BCRYPT = /^\$2[aby]\$(?:0[4-9]|[12]\d|3[01])\$[./A-Za-z\d]{53}$/
const ARGON2 =
  /^\$(argon2(?:id|i|d))\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z\d+/]+)\$([A-Za-z\d+/]+)$/
/** One sign-in must not cost the server more memory (KiB) than this. */
const MAX_MEMORY = 262_144

const derive = promisify(argon2)

/** Hashes that accounts may bring along from elsewhere. */
export const isPasswordHash = (text: string): boolean =>
  BCRYPT.test(text) || argon2Parameters(text) !== undefined

/** Whether the password belongs to the hash, bcrypt or argon2, off the main thread. */
export async function matchesHash(password: string, stored: string): Promise<boolean> {
  const argon = argon2Parameters(stored)
  if (!argon) return verifyBcrypt(password, stored)
  const { algorithm, digest, ...parameters } = argon
  const derived = await derive(algorithm, { message: password, tagLength: digest.length, ...parameters })
  return timingSafeEqual(derived, digest)
}

/** The parts of a hash in PHC form (`$argon2id$v=19$m=…,t=…,p=…$salt$digest`). */
function argon2Parameters(text: string) {
  const [, algorithm, memory, passes, parallelism, salt = '', digest = ''] = ARGON2.exec(text) ?? []
  if (!algorithm || Number(memory) > MAX_MEMORY) return undefined
  return {
    algorithm: algorithm as 'argon2d' | 'argon2i' | 'argon2id',
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    nonce: Buffer.from(salt, 'base64'),
    digest: Buffer.from(digest, 'base64'),
  }
}
