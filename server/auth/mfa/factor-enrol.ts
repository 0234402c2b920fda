import { z } from 'zod'
import { clientOf, type Endpoint } from '../context.ts'
import { authErrors } from '../errors.ts'
import { optional, phone, readBody } from '../request-body.ts'
import { enrol, type Wish } from './enrol.ts'
import { factorName } from './fields.ts'

const Body = z.object({
  factor_type: z.enum(
    ['totp', 'phone', 'webauthn'],
    'factor_type needs to be either totp, phone, or webauthn',
  ),
  friendly_name: optional(factorName),
  issuer: optional(z.string().max(100, 'issuer cannot be longer than 100 characters')),
  phone: optional(phone),
})

/** POST /factors: begins to add a second factor. */
export const enrolFactor: Endpoint = async (c) => {
  const { services, member } = c.var
  const body = await readBody(c, Body)
  const { hostname } = new URL(services.settings.siteUrl)
  const wish = read(body, hostname)
  return c.json(await enrol(services, member, { ...wish, name: body.friendly_name, client: clientOf(c) }))
}

type KindOf<W> = W extends Wish ? Omit<W, 'name' | 'client'> : never

function read({ factor_type: type, issuer, phone }: z.output<typeof Body>, site: string): KindOf<Wish> {
  if (type === 'totp') return { type, issuer: issuer ?? site }
  if (type === 'webauthn') return { type }
  if (!phone) throw authErrors.invalid('A phone number is needed to enroll a phone factor')
  return { type, phone }
}
