/** More letters than these are no slip of the hand. */
const MOST_SLIPS = 3

/** One line for each name that is no setting, with the one that was probably meant. */
export const misspelt = (names: readonly string[], known: readonly string[]): string[] =>
  names.map((name) => {
    const meant = nearest(name, known)
    return `${name} is not a setting${meant ? `; probably ${meant} was meant` : ''}`
  })

function nearest(name: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
    .sort((a, b) => a.distance - b.distance)
  return best && best.distance <= MOST_SLIPS ? best.candidate : undefined
}

/** How many letters must be added, left out or replaced (Levenshtein). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = Number(row[j - 1]) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, Number(row[j]) + 1, Number(next[j - 1]) + 1))
    }
    row = next
  }
  return Number(row[b.length])
}
