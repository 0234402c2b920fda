import type { SiteSettings } from './services.ts'

export type Origins = Pick<SiteSettings, 'siteUrl' | 'apiUrl'>

/**
 * The full address of a path of ours, or of an address that an admin typed; undefined when it is none.
 * Our own pictures and recordings are kept without an origin (design, section 6): they live where the API does.
 */
export function absoluteAddress(address: string, { siteUrl, apiUrl }: Origins): string | undefined {
  try {
    const { protocol, href } = new URL(address, address.startsWith('/storage/') ? apiUrl : siteUrl)
    return protocol === 'https:' || protocol === 'http:' ? href : undefined
  } catch {
    return undefined
  }
}
