import type { SiteSettings } from '#app/session/site.ts'
import type { ResourceSummary } from '#domain/resource.ts'

type Addresses = Pick<SiteSettings, 'siteUrl' | 'apiUrl'>

/**
 * The address under which a browser finds a picture or recording. Those in our own storage are kept without an origin
 * (design, section 6): they stay so where the site itself serves them, and get the project's origin in hosted mode.
 */
export const mediaAddress = <Kept extends string | null>(kept: Kept, { siteUrl, apiUrl }: Addresses): Kept =>
  kept?.startsWith('/storage/') && apiUrl !== siteUrl ? (`${apiUrl}${kept}` as Kept) : kept

/** The resource with addresses that a browser can load. */
export const withMedia = <Kept extends ResourceSummary>(resource: Kept, settings: Addresses): Kept => ({
  ...resource,
  image_url: mediaAddress(resource.image_url, settings),
  audioUrl: mediaAddress(resource.audioUrl, settings),
})
