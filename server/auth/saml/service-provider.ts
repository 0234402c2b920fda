import type { SAML, SamlConfig } from '@node-saml/node-saml'
import type { IdentityProviderFacts } from './identity-provider.ts'

/** Clocks of others may be off by this much. */
export const CLOCK_SKEW_MS = 60_000

/** What we are called, and where responses go: GoTrue's addresses, from the owner's configuration only. */
export const ourAddresses = (issuer: string) => ({
  entityId: `${issuer}/sso/saml/metadata`,
  acs: `${issuer}/sso/saml/acs`,
})

interface Relation {
  /** `<api address>/auth/v1` */
  issuer: string
  idp: IdentityProviderFacts
  nameIdFormat: string | null
  /** Of the request that is being made. */
  requestId?: string
}

/** Our half of single sign-on with one identity provider. */
export async function serviceProvider({ issuer, idp, nameIdFormat, requestId }: Relation): Promise<SAML> {
  const { entityId, acs } = ourAddresses(issuer)
  const config: SamlConfig = {
    issuer: entityId,
    callbackUrl: acs,
    audience: entityId,
    entryPoint: idp.entryPoint,
    idpCert: idp.certificates,
    idpIssuer: idp.entityId,
    identifierFormat: nameIdFormat,
    wantAssertionsSigned: true,
    // Only the assertion is believed; who signs the envelope too loses nothing.
    wantAuthnResponseSigned: false,
    disableRequestedAuthnContext: true,
    acceptedClockSkewMs: CLOCK_SKEW_MS,
    // InResponseTo is looked at in what is signed, against the request of this very browser (assertion.ts).
    ...(requestId && { generateUniqueId: () => requestId }),
  }
  const { SAML } = await import('@node-saml/node-saml')
  return new SAML(config)
}
