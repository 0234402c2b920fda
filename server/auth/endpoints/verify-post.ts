import { z } from 'zod'
import type { Transaction } from '#server/database/port.ts'
import { audit } from '../audit.ts'
import { type Client, clientOf, type Endpoint, type Services } from '../context.ts'
import { authErrors } from '../errors.ts'
import {
  isForPhone,
  isPurpose,
  type OneTimeTokenRow,
  type Purpose,
  purposes,
  tokenByCode,
  tokenByLink,
} from '../otp/one-time-tokens.ts'
import { redeem } from '../otp/redeem.ts'
import { email, optional, phone, readBody } from '../request-body.ts'
import { type IssuedSession, startSession, tokenResponse } from '../sessions/lifecycle.ts'
import { findUser } from '../users/queries.ts'

const proof = z.string().max(256, 'Token is too long')
const Body = z.object({
  type: optional(z.string()),
  token: optional(proof),
  token_hash: optional(proof),
  email: optional(email),
  phone: optional(phone),
})
type Body = z.output<typeof Body>

/** What a client presents: the secret of a link, or a code with the address that it was sent to. */
type Presented = { purpose: Purpose } & ({ linkSecret: string } | { code: string; address: string })

const AWAITS_OTHER = 'Confirmation link accepted. Please proceed to confirm link sent to the other email'

/** POST /verify: a session for a code or a link's secret, which is used up by it. */
export const verify: Endpoint = async (c) => {
  const { services } = c.var
  const presented = read(await readBody(c, Body))
  const account = 'address' in presented ? presented.address : undefined
  if (account) await services.limits.count('code', account)
  const issued = await services.db.asOwner('verify', (tx) => prove(tx, services, presented, clientOf(c)))
  if (issued === 'wrong') throw authErrors.otpExpired()
  if (account) await services.limits.forget('code', account)
  if (issued === 'awaits other mailbox') return c.json({ msg: AWAITS_OTHER, code: '200' })
  return c.json(await tokenResponse(services, issued))
}

/** Errors: validation_failed, with GoTrue's rules of what goes with what. */
function read({ type, token, token_hash: hash, email, phone }: Body): Presented {
  if (!type) throw authErrors.invalid('Verify requires a verification type')
  if (!isPurpose(type)) throw authErrors.invalid('Unsupported verification type')
  if (hash) {
    if (email || phone || token) throw authErrors.invalid('Only the token_hash and type should be provided')
    return { purpose: type, linkSecret: hash }
  }
  if (!token) throw authErrors.invalid('Verify requires a token or a token hash')
  const address = isForPhone(type) ? phone : email
  if (!address || (email && phone)) {
    throw authErrors.invalid('Only an email address or phone number should be provided on verify')
  }
  return { purpose: type, code: token, address }
}

async function prove(
  tx: Transaction,
  services: Services,
  presented: Presented,
  client: Client,
): Promise<IssuedSession | 'wrong' | 'awaits other mailbox'> {
  const token = await findToken(tx, services, presented)
  if (!token) return 'wrong'
  const { user, awaitsOtherMailbox } = await redeem(tx, services, token, client)
  if (awaitsOtherMailbox) return 'awaits other mailbox'
  await audit(tx, {
    action: 'login',
    actor: user,
    client,
    traits: { provider: token.relates_to.includes('@') ? 'email' : 'phone' },
  })
  return startSession(tx, services, { user, method: 'otp', client })
}

async function findToken(
  tx: Transaction,
  services: Services,
  presented: Presented,
): Promise<OneTimeTokenRow | undefined> {
  const types = purposes[presented.purpose]
  if ('linkSecret' in presented) return tokenByLink(tx, services, presented.linkSecret, types)
  const { address, code } = presented
  const user = await findUser(tx, byAddress(presented.purpose, address))
  // A change of address may be confirmed by a code from the mailbox that is still the current one.
  const other = !user && presented.purpose === 'email_change' ? await findUser(tx, { email: address }) : user
  return other && tokenByCode(tx, services, { userId: other.id, code, address, types })
}

const byAddress = (purpose: Purpose, address: string) => {
  if (purpose === 'email_change') return { emailChange: address }
  if (purpose === 'phone_change') return { phoneChange: address }
  return purpose === 'sms' ? { phone: address } : { email: address }
}
