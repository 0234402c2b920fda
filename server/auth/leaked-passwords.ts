import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

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
  return [...plain].length >= SHORTEST && holds(await loading, digest(plain))
}

async function loadList(): Promise<BigUint64Array> {
  const file = createRequire(import.meta.url).resolve(LIST)
  const passwords = JSON.parse(await readFile(file, 'utf8')) as string[]
  return BigUint64Array.from(passwords.filter(({ length }) => length >= SHORTEST).map(digest)).sort()
}

/** Of two passwords the same one time in 2^64: no good one is refused by chance. */
const digest = (password: string): bigint => createHash('sha256').update(password).digest().readBigUInt64BE()

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
