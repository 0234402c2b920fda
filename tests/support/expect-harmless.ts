import { type DefaultTreeAdapterTypes, html as names, parseFragment } from 'parse5'
import { expect } from 'vitest'

// For tests only. It repeats in its own words what an article may hold, so that a slip in the schema shows.

const elements = new Set(
  `h2 h3 h4 h5 h6 p div section blockquote pre hr br wbr figure figcaption address style ul ol li dl dt dd details
  summary a img table caption colgroup col thead tbody tfoot tr th td span em strong b i u s small sub sup mark ins
  del q cite dfn abbr time code kbd samp var bdi bdo ruby rb rt rp`.split(/\s+/),
)

const attributes = new Set(
  `class id title style lang dir align href rel src alt width height loading decoding referrerpolicy start type
  reversed value span colspan rowspan valign scope abbr open datetime media`.split(/\s+/),
)

const addresses: Record<string, RegExp> = {
  href: /^(?:https?:\/\/|mailto:|tel:|\/(?![/\\])|#article-)/,
  src: /^(?:https:\/\/|\/(?![/\\])|data:image\/(?:png|jpeg|gif|webp);base64,[\w+/]+={0,2}$)/,
  id: /^article-/,
  rel: /^noopener noreferrer$/,
}

const expectHarmlessCss = (css: string) => {
  const outsideStrings = css.replace(/"(?:[^"\\]|\\[\s\S])*"/g, '""')
  expect(css).not.toContain('<')
  expect(outsideStrings.replaceAll('@media ', '')).not.toMatch(/[@\\]|\/\*/)
  expect(outsideStrings).not.toMatch(
    /\b(?:url|src|image-set|image|element|expression|attr|var|env|calc|-moz-binding|behavior|position|z-index|inset|transform|filter|animation|transition|cursor|mask|clip-path|all)\s*[:(]|javascript|:host|::?slotted|::?part/i,
  )
}

const expectHarmlessElement = (element: DefaultTreeAdapterTypes.Element) => {
  expect(element.namespaceURI).toBe(names.NS.HTML)
  expect(elements).toContain(element.tagName)
  for (const { name, value } of element.attrs) {
    expect(attributes).toContain(name)
    if (addresses[name]) expect(value).toMatch(addresses[name])
    if (name === 'style') expectHarmlessCss(value)
  }
}

const expectHarmlessNode = (node: DefaultTreeAdapterTypes.Node) => {
  expect(['#comment', '#documentType']).not.toContain(node.nodeName)
  if (node.nodeName === 'style' && 'childNodes' in node) {
    for (const child of node.childNodes) if ('value' in child) expectHarmlessCss(child.value)
  }
  if ('tagName' in node) expectHarmlessElement(node)
  if ('childNodes' in node) node.childNodes.forEach(expectHarmlessNode)
}

/** Reads HTML as a browser with scripting does and expects nothing in it that could do harm. */
export const expectHarmless = (html: string) =>
  expectHarmlessNode(parseFragment(html, { scriptingEnabled: true }))
