import { argon2, createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { hash, verify as verifyBcrypt } from '@node-rs/bcrypt'
import { authErrors, type WeakReason } from '../errors.ts'

const COST = 10

/** bcrypt, on a thread of its own. */
export const hashPassword = (password: string): Promise<string> => hash(password, { cost: COST })

/** Whoever has no password, or no account, costs as much time as everybody else. */
const nobody = hashPassword(randomBytes(24).toString('base64url'))

/** Whether the password belongs to the hash. Without a hash the answer is no, after the same time. */
export async function isPasswordOf(
  passwordHash: string | null | undefined,
  password: string,
): Promise<boolean> {
  const matches = await matchesHash(password, passwordHash || (await nobody))
  return matches && Boolean(passwordHash)
}

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
async function matchesHash(password: string, stored: string): Promise<boolean> {
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

export interface PasswordRules {
  minLength: number
  /** Sets of characters of which each must be there; the Supabase CLI's names for them are read in the config. */
  mustContain: readonly string[]
  /** Whether passwords that stand in well-known leaks are refused. */
  refuseLeaked: boolean
}

/** What is wrong with a password by the owner's rules, in GoTrue's words; undefined when nothing is. */
export async function weaknessOf(password: string, { minLength, mustContain, refuseLeaked }: PasswordRules) {
  const missing = mustContain.some((set) => ![...set].some((character) => password.includes(character)))
  const problems: Array<[WeakReason, string]> = []
  if ([...password].length < minLength)
    problems.push(['length', `Password should be at least ${minLength} characters.`])
  if (missing)
    problems.push([
      'characters',
      `Password should contain at least one character of each: ${mustContain.join(', ')}.`,
    ])
  if (refuseLeaked && (await isLeaked(password)))
    problems.push(['pwned', 'Password is known to be weak and easy to guess, please choose a different one.'])
  if (problems.length === 0) return undefined
  return {
    reasons: problems.map(([reason]) => reason),
    message: problems.map(([, message]) => message).join(' '),
  }
}

/** Errors: weak_password with all reasons. */
export async function mustBeStrong(password: string, rules: PasswordRules): Promise<void> {
  const weakness = await weaknessOf(password, rules)
  if (weakness) throw authErrors.weakPassword(weakness.reasons, weakness.message)
}

/** Nearly 50,000 passwords that leaks hold again and again, most used first, all in lower case. */
const LIST = '@zxcvbn-ts/language-common/src/passwords.json'
/** Shorter ones are refused for their length already. */
const SHORTEST = 8

let loading: Promise<BigUint64Array> | undefined

/**
 * Whether a password stands in a list of leaked ones that comes with the service; nothing leaves the house. Case and
 * the ways in which Unicode writes one letter make no difference: whoever guesses tries those too.
 * The list is read with the first question, and kept as 64 bits a password (140 KB).
 */
export async function isLeaked(password: string): Promise<boolean> {
  const plain = password.normalize('NFKC').toLowerCase()
  loading ??= loadList().catch((error) => {
    loading = undefined
    throw error
  })
  return [...plain].length >= SHORTEST && holds(await loading, fingerprint(plain))
}

async function loadList(): Promise<BigUint64Array> {
  const file = createRequire(import.meta.url).resolve(LIST)
  const passwords = JSON.parse(await readFile(file, 'utf8')) as string[]
  return BigUint64Array.from(passwords.filter(({ length }) => length >= SHORTEST).map(fingerprint)).sort()
}

/** Of two passwords the same one time in 2^64: no good one is refused by chance. */
const fingerprint = (password: string): bigint =>
  createHash('sha256').update(password).digest().readBigUInt64BE()

/** Binary search in sorted numbers. */
function holds(sorted: BigUint64Array, wanted: bigint): boolean {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >> 1
    const found = sorted[middle] as bigint
    if (found === wanted) return true
    if (found < wanted) from = middle + 1
    else to = middle
  }
  return false
}
