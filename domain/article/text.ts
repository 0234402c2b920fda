// Every pattern here also accepts the end of the text: none fails after a long look ahead to be tried again
// from the next "<", so hostile input stays linear.
const comment = '<!--[^]*?(?:-->|$)|<(?:[!?]|/(?![a-z]))[^>]*(?:>|$)'
const unread =
  '<(?<unread>script|style|title|template|noscript|iframe|textarea|svg|math|xml)\\b[^]*?(?:</\\k<unread>\\b[^>]*(?:>|$)|$)'
const tagName = '</?(?<tag>[a-z][^\\s/>]*)'
const opening = new RegExp(`${comment}|${unread}|${tagName}`, 'iy')
const attribute = /[^=>]*(?:>|$|=\s*(?:"[^"]*(?:"|$)|'[^']*(?:'|$))?)/y

const inline =
  /^(?:a|abbr|b|bdi|bdo|big|cite|code|del|dfn|em|font|i|ins|kbd|mark|o:p|q|s|samp|small|span|strong|sub|sup|u|var|wbr)$/i

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ensp: ' ',
  emsp: ' ',
  thinsp: ' ',
  shy: '',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  bull: '•',
  middot: '·',
}

const isCharacter = (code: number) => code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)

const decodeEntity = (entity: string, name: string) => {
  if (!name.startsWith('#')) return entities[name] ?? entity
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
  return isCharacter(code) ? String.fromCodePoint(code) : ''
}

/** Where the tag ends whose attributes begin here; a ">" in a quoted value is no end. */
const tagEnd = (html: string, from: number) => {
  attribute.lastIndex = from
  do attribute.exec(html)
  while (html[attribute.lastIndex - 1] !== '>' && attribute.lastIndex < html.length)
  return attribute.lastIndex
}

/** What stands for the markup that begins here, and where it ends. A "<" that begins none is itself. */
const skipMarkup = (html: string, from: number): [text: string, end: number] => {
  opening.lastIndex = from
  const found = opening.exec(html)
  if (!found) return ['<', from + 1]
  const tag = found.groups?.tag
  if (tag === undefined) return [' ', opening.lastIndex]
  return [inline.test(tag) ? '' : ' ', tagEnd(html, opening.lastIndex)]
}

const withoutMarkup = (html: string) => {
  let text = ''
  let at = 0
  for (let next = html.indexOf('<'); next >= 0; next = html.indexOf('<', at)) {
    const [instead, end] = skipMarkup(html, next)
    text += html.slice(at, next) + instead
    at = end
  }
  return text + html.slice(at)
}

/**
 * The words of an article, for descriptions, feeds and the reading time: no tags, no scripts and styles,
 * the usual entities decoded, white space collapsed. Words are separated by blocks but not by inline tags.
 * This is text, not HTML: whoever puts it into a page escapes it.
 */
export const articleText = (html: string) =>
  withoutMarkup(html)
    .replace(/&(#x[\da-f]{1,6}|#\d{1,7}|[a-z]{2,6});/gi, decodeEntity)
    .replace(/\s+/g, ' ')
    .trim()

const wordsPerMinute = 200
const step = 30

/**
 * Estimated reading time of an HTML text in seconds (specification, section 5): 200 words a minute, rounded
 * to a multiple of 30 seconds, at least 30, and 0 when there is nothing to read. A dash alone is no word.
 */
export const readingTime = (html: string) => {
  const words = articleText(html)
    .split(' ')
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length
  if (words === 0) return 0
  return Math.max(step, Math.round(((words / wordsPerMinute) * 60) / step) * step)
}
