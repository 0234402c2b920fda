/** XML that may not be read at all. */
export class UnsafeXml extends Error {}

/**
 * Refuses what neither SAML messages nor metadata need: a document type brings entities (which grow, or read files), a
 * processing instruction a style sheet. Asked for before any parser sees the text.
 */
export function mustBePlainXml(xml: string): void {
  if (/<!DOCTYPE|<!ENTITY/i.test(xml)) throw new UnsafeXml('document types are not allowed')
  if (/<\?(?!xml\s)/i.test(xml)) throw new UnsafeXml('processing instructions are not allowed')
  if (xml.includes('\0') || !xml.isWellFormed()) throw new UnsafeXml('it holds characters that are no text')
}

/** Elements by local name: `$` attributes, `_` text, children as lists. Errors: UnsafeXml; the parser's own. */
export async function readXml(xml: string): Promise<unknown> {
  mustBePlainXml(xml)
  // Loaded with the first metadata: few sites have single sign-on.
  const { parseXml2JsFromString } = await import('@node-saml/node-saml/lib/xml.js')
  return parseXml2JsFromString(xml)
}
