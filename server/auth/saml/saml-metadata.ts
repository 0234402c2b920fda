import type { Endpoint } from '../context.ts'
import { samlErrors } from '../errors.ts'
import { decryptionKey } from './decryption.ts'
import { ourAddresses } from './service-provider.ts'

const MAX_AGE = 600

/** GET /sso/saml/metadata: what an organisation's administrator feeds to their identity provider. */
export const samlMetadata: Endpoint = async (c) => {
  const { settings, db, sealing } = c.var.services
  if (!settings.saml) throw samlErrors.disabled()
  const { generateServiceProviderMetadata } = await import('@node-saml/node-saml')
  const { entityId, acs } = ourAddresses(settings.issuer)
  const key = await decryptionKey({ db, sealing, issuer: settings.issuer })
  const xml = generateServiceProviderMetadata({
    issuer: entityId,
    callbackUrl: acs,
    wantAssertionsSigned: true,
    identifierFormat: null,
    decryptionPvk: key.privateKey,
    decryptionCert: key.certificate,
  })
  c.header('Content-Type', 'application/xml; charset=utf-8')
  c.header('Cache-Control', `public, max-age=${MAX_AGE}`)
  if (c.req.query('download') === 'true')
    c.header('Content-Disposition', 'attachment; filename="metadata.xml"')
  return c.body(xml)
}
