import { z } from 'zod'

const MAX_TRANSPORTS = 8

const bytes = z.string().regex(/^[\w-]+$/)

/** What every answer of an authenticator has (WebAuthn Level 3, section 5.1). Extensions are of no use here. */
const common = {
  id: bytes.max(1400),
  rawId: bytes.max(1400),
  type: z.literal('public-key'),
  clientExtensionResults: z
    .unknown()
    .optional()
    .transform(() => ({})),
}

/** The answer of navigator.credentials.create(), as JSON. */
export const CreationResponse = z.object({
  ...common,
  response: z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: z
      .array(z.string().regex(/^[a-z-]{1,32}$/))
      .max(MAX_TRANSPORTS)
      .optional(),
  }),
})

/** The answer of navigator.credentials.get(), as JSON. */
export const RequestResponse = z.object({
  ...common,
  response: z.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: bytes.nullish().transform((handle) => handle ?? undefined),
  }),
})
