// Each has white letters on it at 4.5:1 or better.
const colours = ['#b93b0a', '#7c2d12', '#9a5b00', '#8a3324', '#6b4a2f', '#2f5d62', '#54663f', '#7a3b52']

/** The first letters of the first and the last word of a name; one letter for a single word. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s._+-]+/).filter((word) => /[\p{L}\p{N}]/u.test(word))
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  return ends.map((word) => firstLetter(word ?? '')).join('') || '?'
}

const firstLetter = (word: string) => (/[\p{L}\p{N}]\p{M}*/u.exec(word)?.[0] ?? '').toUpperCase()

/** Always the same colour for the same name. */
export function warmColour(name: string): string {
  const sum = [...name].reduce((hash, letter) => (hash * 31 + (letter.codePointAt(0) ?? 0)) >>> 0, 7)
  return colours[sum % colours.length] ?? '#b93b0a'
}
