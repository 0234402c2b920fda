import XMLBuilder from 'fast-xml-builder'
import { absoluteAddress, type Origins } from '#app/session/site.ts'

/** Elements by name; attributes begin with @, text beside attributes is called #text, and undefined is left out. */
export type Xml = { [name: string]: string | number | undefined | Xml | readonly Xml[] | readonly string[] }

// XML 1.0 section 2.2: even escaped, these must not occur. A database may hold some of them.
const forbidden = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu
const clean = (_name: string, text: unknown) => String(text).replace(forbidden, '')

const builder = new XMLBuilder({
  attributeNamePrefix: '@',
  ignoreAttributes: false,
  suppressBooleanAttributes: false,
  suppressEmptyNode: true,
  tagValueProcessor: clean,
  attributeValueProcessor: clean,
})

/** A well-formed document, whatever its texts contain. */
export const toXml = (document: Xml): string =>
  builder.build({ '?xml': { '@version': '1.0', '@encoding': 'UTF-8' }, ...document })

/** yyyy-mm-dd in the form of RFC 822, as RSS wants it; undefined when it is no date. */
export function rssDate(date: string): string | undefined {
  const midnight = new Date(`${date}T00:00:00Z`)
  return Number.isNaN(midnight.getTime()) ? undefined : midnight.toUTCString()
}

/** Full address of a path of ours, or of an address that an admin typed; '' when it is none. */
export type Absolute = (address: string) => string

/** Feeds are read far from the site: every address in them is a full one. */
export const absoluteFor =
  (origins: Origins): Absolute =>
  (address) =>
    absoluteAddress(address, origins) ?? ''

/** The library did not answer: readers of a feed shall keep what they have, and come again in a minute. */
export const librarySilent = (): Response =>
  new Response('The library cannot be reached right now.', {
    status: 503,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Retry-After': '60' },
  })
