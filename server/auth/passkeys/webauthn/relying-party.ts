import type { AuthSettings } from '#server/auth/settings.ts'

/** Whom a key is made for: authenticators give signatures to nobody else. */
export interface RelyingParty {
  id: string
  name: string
  origin: string
}

/** The site's own address decides, never what a request says about its host. */
export function relyingPartyOf({ siteUrl }: Pick<AuthSettings, 'siteUrl'>): RelyingParty {
  const { hostname, origin } = new URL(siteUrl)
  return { id: hostname, name: 'Walking Together', origin }
}
