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

// What a style of an article may say. Everything that is not listed is dropped: nothing here can position
// a box, load a file, animate, or reach beyond the article.

const sides = [
  'top',
  'right',
  'bottom',
  'left',
  'block',
  'inline',
  'block-start',
  'block-end',
  'inline-start',
  'inline-end',
]
const around = (name: string) => [name, ...sides.map((side) => `${name}-${side}`)]
const border = ['width', 'style', 'color'].flatMap((part) => [
  `border-${part}`,
  ...sides.map((side) => `border-${side}-${part}`),
])

/** The properties, in lower case. */
export const cssProperties: ReadonlySet<string> = new Set([
  ...'color background background-color'.split(' '),
  ...'font font-family font-size font-style font-weight font-stretch font-kerning'.split(' '),
  ...'font-variant font-variant-caps font-variant-numeric font-variant-ligatures font-feature-settings'.split(
    ' ',
  ),
  ...'line-height letter-spacing word-spacing tab-size text-indent text-transform'.split(' '),
  ...'text-align text-align-last text-wrap vertical-align white-space'.split(' '),
  ...'text-decoration text-decoration-line text-decoration-style text-decoration-color'.split(' '),
  ...'text-decoration-thickness text-underline-offset text-underline-position'.split(' '),
  ...'word-break word-wrap overflow-wrap hyphens direction unicode-bidi quotes content'.split(' '),
  ...around('margin'),
  ...around('padding'),
  ...around('border'),
  ...border,
  ...'border-radius border-collapse border-spacing'.split(' '),
  ...'width max-width box-sizing display float clear gap row-gap column-gap'.split(' '),
  ...'table-layout caption-side empty-cells'.split(' '),
  ...'list-style list-style-type list-style-position'.split(' '),
  ...'break-before break-after break-inside orphans widows'.split(' '),
  ...'page-break-before page-break-after page-break-inside'.split(' '),
])

/** The functions: plain colours, and no other. `url()`, `attr()`, `var()`, `calc()` and the rest are out. */
export const colourFunctions: ReadonlySet<string> = new Set(
  'rgb rgba hsl hsla hwb lab lch oklab oklch'.split(' '),
)

/** Pseudo-classes and -elements. Not `:host`, `::slotted`, `::part`: they reach out of the article. */
export const pseudoSelectors: ReadonlySet<string> = new Set([
  ...'first-child last-child only-child nth-child nth-last-child empty'.split(' '),
  ...'first-of-type last-of-type only-of-type nth-of-type nth-last-of-type not is where'.split(' '),
  ...'link visited hover focus focus-visible active before after first-letter first-line marker'.split(' '),
])

const mediaType = '(?:only |not )?(?:all|screen|print)'
const mediaFeature = '\\((?:prefers-[a-z-]+|(?:min-|max-)?width)(?::[\\w.-]+)?\\)'
const mediaQuery = `(?:${mediaType}|${mediaFeature})(?: and ${mediaFeature})*`

/** The conditions of `@media`, as css-tree writes them: print, screen, the reader's preferences, widths. */
export const mediaCondition = new RegExp(`^${mediaQuery}(?:,${mediaQuery})*$`)
