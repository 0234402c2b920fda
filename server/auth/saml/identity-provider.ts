import { X509Certificate } from 'node:crypto'
import { z } from 'zod'
import { samlErrors } from '../errors.ts'
import { readXml } from './xml.ts'

/** What an organisation's metadata says about its identity provider. */
export interface IdentityProviderFacts {
  entityId: string
  /** Where the browser is sent (HTTP-Redirect). */
  entryPoint: string
  /** PEM; any of them may have signed. */
  certificates: string[]
}

const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'

const Text = z.object({ _: z.string() })
const KeyInfo = z.object({ X509Data: z.array(z.object({ X509Certificate: z.array(Text) })) })
const Descriptor = z.object({
  KeyDescriptor: z.array(
    z.object({ $: z.object({ use: z.string().optional() }).optional(), KeyInfo: z.array(KeyInfo) }),
  ),
  SingleSignOnService: z.array(z.object({ $: z.object({ Binding: z.string(), Location: z.string() }) })),
})
const Metadata = z.object({
  EntityDescriptor: z.object({
    $: z.object({ entityID: z.string().min(1).max(1024) }),
    IDPSSODescriptor: z.array(Descriptor).min(1),
  }),
})

/** Reads metadata (SAML 2.0 Metadata, 2.4.3). Errors: validation_failed, with what is missing. */
export async function readMetadata(xml: string): Promise<IdentityProviderFacts> {
  const parsed = Metadata.safeParse(await parse(xml))
  if (!parsed.success) throw samlErrors.badMetadata('it describes no single identity provider', parsed.error)
  const { $, IDPSSODescriptor: descriptors } = parsed.data.EntityDescriptor
  const services = descriptors.flatMap((descriptor) => descriptor.SingleSignOnService)
  const entryPoint = services.find((service) => service.$.Binding === REDIRECT)?.$.Location ?? ''
  // The site goes to this address: one that is a program would run there.
  if (!/^https?:\/\//i.test(entryPoint) || !URL.canParse(entryPoint))
    throw samlErrors.badMetadata('it has no address for HTTP-Redirect')
  const certificates = descriptors.flatMap(certificatesOf)
  if (certificates.length === 0) throw samlErrors.badMetadata('it has no certificate for signatures')
  return { entityId: $.entityID, entryPoint, certificates }
}

const parse = (xml: string): Promise<unknown> =>
  readXml(xml).catch((error) => {
    throw samlErrors.badMetadata('it cannot be read', error)
  })

const certificatesOf = ({ KeyDescriptor: keys }: z.output<typeof Descriptor>): string[] =>
  keys
    .filter(({ $ }) => $?.use === undefined || $.use === 'signing')
    .flatMap(({ KeyInfo: infos }) => infos.flatMap(({ X509Data }) => X509Data))
    .flatMap(({ X509Certificate: texts }) => texts.map(({ _ }) => toPem(_)))

function toPem(base64: string): string {
  try {
    return new X509Certificate(Buffer.from(base64, 'base64')).toString()
  } catch (error) {
    throw samlErrors.badMetadata('one of its certificates cannot be read', error)
  }
}

const Sender = z.object({ Response: z.object({ Issuer: z.array(z.object({ _: z.string() })).length(1) }) })

/**
 * Who a response (base64) says it is from: nothing but a name to look certificates up by. Errors: validation_failed.
 */
export async function issuerOfResponse(samlResponse: string): Promise<string> {
  const xml = Buffer.from(samlResponse, 'base64').toString('utf8')
  const parsed = Sender.safeParse(await readXml(xml).catch(() => undefined))
  const issuer = parsed.data?.Response.Issuer[0]?._
  if (!issuer) throw samlErrors.badResponse('it names no issuer')
  return issuer
}
