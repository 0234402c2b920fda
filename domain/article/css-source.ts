import { tokenize, tokenTypes } from 'css-tree/tokenizer'

const closerOf: ReadonlyMap<number, number> = new Map([
  [tokenTypes.Function, tokenTypes.RightParenthesis],
  [tokenTypes.LeftParenthesis, tokenTypes.RightParenthesis],
  [tokenTypes.LeftSquareBracket, tokenTypes.RightSquareBracket],
  [tokenTypes.LeftCurlyBracket, tokenTypes.RightCurlyBracket],
])
const closers: ReadonlySet<number> = new Set(closerOf.values())

const maxNesting = 20

/**
 * The part of a style that can be given to the parser: up to the first bracket that closes nothing or opens
 * too deep a block. css-tree 3.2 can run in circles at a bracket that closes nothing: it pairs brackets with
 * the help of a buffer that still holds the tokens of an earlier, longer style.
 */
export const soundPart = (css: string) => {
  const open: number[] = []
  let end = css.length
  tokenize(css, (type, start) => {
    if (start >= end) return
    const closer = closerOf.get(type)
    if (closer !== undefined) open.push(closer)
    else if (type === open.at(-1)) open.pop()
    else if (open.length === 0 && closers.has(type)) end = start
    if (open.length > maxNesting) end = start
  })
  return css.slice(0, end)
}
