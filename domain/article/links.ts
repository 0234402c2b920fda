/** Ids and anchors of an article begin with this, so that they cannot be taken for anything of ours. */
const anchorPrefix = 'article-'

/** The id that an anchor of an article gets; the same for `id="Caf&eacute; 1"` and `href="#Caf%C3%A9%201"`. */
export const anchorId = (name: string) => {
  const plain = name.replace(/[^\p{L}\p{N}_-]+/gu, '-')
  return plain.startsWith(anchorPrefix) ? plain : anchorPrefix + plain
}

const decoded = (fragment: string) => {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

// Any address does: it only stands in for the site's own, which a stored article must not depend on.
const site = new URL('https://site.invalid/')

// The platform's own parser sees through the tabs, entities and control characters that hide a protocol.
const resolve = (address: string) => {
  try {
    return new URL(address, site)
  } catch {
    return undefined
  }
}

const ownPath = ({ origin, pathname, search, hash }: URL) =>
  // "/.//elsewhere.example" has the path "//elsewhere.example", which as an address is another host.
  origin === site.origin && !pathname.startsWith('//') ? pathname + search + hash : undefined

/** Where a link may lead: a place in the article, on this site, on the web, or into mail and telephone. */
export const safeLink = (href: string): string | undefined => {
  const trimmed = href.trim()
  if (trimmed.startsWith('#')) return trimmed === '#' ? undefined : `#${anchorId(decoded(trimmed.slice(1)))}`
  const url = resolve(trimmed)
  if (!url) return undefined
  // A path relative to a folder on somebody's disk leads nowhere here.
  if (url.origin === site.origin) return /^\/(?![/\\])/.test(trimmed) ? ownPath(url) : undefined
  return ['https:', 'http:', 'mailto:', 'tel:'].includes(url.protocol) ? url.href : undefined
}

/** Whether a safe link leaves this site for another one. */
export const leadsElsewhere = (href: string) => /^https?:/.test(href)

const inlineImage = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z\d+/]+={0,2}$/

/** Where an image may come from: our own storage, the encrypted web, or the article itself. */
export const safeImage = (src: string): string | undefined => {
  if (/^\s*data:/i.test(src)) {
    const address = src.replace(/\s+/g, '').replace(/^data:image\/jpg;/i, 'data:image/jpeg;')
    return inlineImage.test(address) ? address : undefined
  }
  const link = safeLink(src)
  return link && /^(?:https:|\/)/.test(link) ? link : undefined
}
