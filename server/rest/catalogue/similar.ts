/** The name most like the misspelt one, if any is like it at all. */
export function mostSimilar(wanted: string, names: readonly string[], atLeast = 0.7): string | undefined {
  const scored = names.map((name) => ({ name, score: similarity(wanted, name) }))
  return scored.filter(({ score }) => score >= atLeast).toSorted((a, b) => b.score - a.score)[0]?.name
}

/** 1 for equal texts, 0 for texts with nothing in common: the share of pairs of neighbouring letters that both have. */
function similarity(a: string, b: string): number {
  const [pairsOfA, pairsOfB] = [pairs(a), pairs(b)]
  const shared = pairsOfA.filter((pair) => pairsOfB.includes(pair)).length
  return (2 * shared) / (pairsOfA.length + pairsOfB.length)
}

const pairs = (text: string): string[] => {
  const framed = ` ${text.slice(0, 63).toLowerCase()} `
  return Array.from({ length: framed.length - 1 }, (_, i) => framed.slice(i, i + 2))
}
