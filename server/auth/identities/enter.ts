import type { Transaction } from '#server/database/port.ts'
import { audit } from '../audit.ts'
import type { Services } from '../context.ts'
import { enqueueLinkEmail, withSendCooldown } from '../emails.ts'
import { providerErrors, retryOnConflict } from '../errors.ts'
import type { UserRow } from '../users/user.ts'
import { accountFor } from './account-for.ts'
import type { Arrival } from './arrival.ts'

type Outcome<T> = { opened: T } | { unconfirmed: UserRow; email: string }

/**
 * Lets in whom a provider vouches for; `open` begins the session in the same transaction. Somebody whose address
 * nobody has verified is sent a mail instead.
 * Errors: those of `accountFor`, provider_email_needs_verification, over_email_send_rate_limit.
 */
export async function enter<T>(
  services: Services,
  arrival: Arrival,
  open: (tx: Transaction, user: UserRow) => Promise<T>,
): Promise<T> {
  const attempt = () =>
    retryOnConflict(() =>
      services.db.asOwner('sign-in by provider', (tx) => prepare(tx, services, arrival, open)),
    )
  const outcome = await attempt()
  if ('opened' in outcome) return outcome.opened
  const { unconfirmed: user, email } = outcome
  await withSendCooldown(services, { kind: 'signup', email }, () =>
    askForConfirmation(services, arrival, user, email),
  )
  throw providerErrors.unverifiedEmail(arrival.provider)
}

async function prepare<T>(
  tx: Transaction,
  services: Services,
  arrival: Arrival,
  open: (tx: Transaction, user: UserRow) => Promise<T>,
): Promise<Outcome<T>> {
  const { user } = await accountFor(tx, services, arrival)
  if (user.email && !user.confirmed_at) return { unconfirmed: user, email: user.email }
  const { provider, client } = arrival
  await audit(tx, { action: 'login', actor: user, client, traits: { provider } })
  return { opened: await open(tx, user) }
}

const askForConfirmation = (services: Services, arrival: Arrival, user: UserRow, email: string) =>
  services.db.asOwner('confirm an address', async (tx) => {
    const { provider, client, redirectTo, challenge } = arrival
    await enqueueLinkEmail(tx, services, { user, email, type: 'signup', redirectTo, challenge })
    await audit(tx, { action: 'user_confirmation_requested', actor: user, client, traits: { provider } })
  })
