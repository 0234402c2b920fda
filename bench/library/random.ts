/** A stream of numbers in [0, 1) that is the same for the same seed on every machine (mulberry32). */
export type Random = () => number

export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** One of several, each as likely as the others. */
export const pick = <T>(random: Random, from: readonly T[]): T =>
  from[Math.floor(random() * from.length)] as T

/** One of several by weight, e.g. `{ reading: 5, podcast: 2 }`. */
export function pickWeighted<Name extends string>(random: Random, weights: Record<Name, number>): Name {
  const entries = Object.entries(weights) as Array<[Name, number]>
  let left = random() * entries.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [name, weight] of entries) {
    left -= weight
    if (left < 0) return name
  }
  throw new RangeError('a choice needs weights above 0')
}

/** Like words in a language: the one in place n comes up about 1/n as often as the first (Zipf's law). */
export const pickByRank = <T>(random: Random, from: readonly T[]): T =>
  from[Math.floor((from.length + 1) ** random()) - 1] as T
