import { isUniqueViolation } from '#server/database/errors.ts'
import type { Transaction } from '#server/database/port.ts'
import { audit } from '../audit.ts'
import type { Client, Member, Services } from '../context.ts'
import { notifyAccountChange } from '../emails.ts'
import { authErrors, passkeyErrors } from '../errors.ts'
import { lockMember } from '../mfa/assurance.ts'
import type { UserRow } from '../users/user.ts'
import {
  type Ceremony,
  keepChallenge,
  mustBeInTime,
  PASSKEY_CHALLENGE_SECONDS,
  takeChallenge,
} from './challenges.ts'
import { passkeyName } from './names.ts'
import { findPasskey, findPasskeysOf, insertPasskey, type PasskeyRow } from './repository.ts'
import { checkCreation } from './webauthn/checks.ts'
import type { NewKey } from './webauthn/keys.ts'
import { creationOptions } from './webauthn/options.ts'
import { relyingPartyOf } from './webauthn/relying-party.ts'

const MOST_PASSKEYS = 10
export const TO_ADD_PASSKEY = { message: 'AAL2 required to add a passkey' }

const ceremonyOf = ({ user, session }: Member): Ceremony => ({
  type: 'registration',
  userId: user.id,
  sessionId: session.id,
})

/** The options for a new passkey. Errors: insufficient_aal, too_many_passkeys, and those of `mayHavePasskeys`. */
export async function beginRegistration(services: Services, member: Member) {
  mayHavePasskeys(member)
  const { user } = member
  const passkeys = await services.db.asOwner('passkeys', (tx) => findPasskeysOf(tx, user.id))
  if (passkeys.length >= MOST_PASSKEYS) throw passkeyErrors.tooMany()
  const options = await creationOptions(relyingPartyOf(services.settings), {
    person: { id: user.id, name: user.email || user.phone || user.id },
    known: passkeys.map((passkey) => ({ ...passkey, id: passkey.credentialId })),
    use: 'passkey',
    seconds: PASSKEY_CHALLENGE_SECONDS,
  })
  const kept = await services.db.asOwner('passkey challenge', (tx) =>
    keepChallenge(tx, ceremonyOf(member), options.challenge, services.now()),
  )
  return { ...kept, options }
}

interface Answer {
  challengeId: string
  /** As the client sent it. */
  credential: unknown
  client: Client
}

/** Keeps the passkey that was made. Errors: webauthn_*, and those of `beginRegistration`. */
export async function finishRegistration(
  services: Services,
  member: Member,
  { challengeId, credential, client }: Answer,
): Promise<PasskeyRow> {
  mayHavePasskeys(member)
  const taken = await services.db.asOwner('passkey challenge', (tx) =>
    takeChallenge(tx, challengeId, ceremonyOf(member)),
  )
  mustBeInTime(taken, services.now())
  const { challenge } = taken.session_data
  const party = relyingPartyOf(services.settings)
  const key = await checkCreation(party, { response: credential, challenge, use: 'passkey' })
  if (!key) throw passkeyErrors.notVerified()
  return services.db
    .asOwner('new passkey', (tx) => keep(tx, services, member, { key, client }))
    .catch((error) => {
      throw isUniqueViolation(error) ? passkeyErrors.exists() : error
    })
}

async function keep(
  tx: Transaction,
  services: Services,
  member: Member,
  { key, client }: { key: NewKey; client: Client },
): Promise<PasskeyRow> {
  // Locked and looked at again: an account may have got a second factor, or its tenth passkey, meanwhile.
  const current = await lockMember(tx, member, { now: services.now(), refusal: TO_ADD_PASSKEY })
  const { user } = current
  mayHavePasskeys(current)
  if ((await findPasskeysOf(tx, user.id)).length >= MOST_PASSKEYS) throw passkeyErrors.tooMany()
  const at = new Date(services.now()).toISOString()
  const name = passkeyName(key.aaguid)
  const id = await insertPasskey(tx, { userId: user.id, key, name, at })
  await audit(tx, { action: 'passkey_created', actor: user, client, traits: { passkey_id: id } })
  await notifyAccountChange(tx, services, user, 'passkeyAdded', name)
  return (await findPasskey(tx, id, user.id)) as PasskeyRow
}

/** A way in belongs to an address that is proved. Errors: no_authorization, user_sso_managed, email_not_confirmed. */
function mayHavePasskeys(member: Member): void {
  const { user } = member
  if (user.is_anonymous) throw passkeyErrors.anonymous()
  if (user.is_sso_user) throw passkeyErrors.managedElsewhere()
  mustBeConfirmed(user, 422)
}

/** Errors: email_not_confirmed, phone_not_confirmed. */
export function mustBeConfirmed(user: UserRow, status: 400 | 422): void {
  if (user.confirmed_at) return
  throw user.email ? authErrors.emailNotConfirmed(status) : authErrors.phoneNotConfirmed(status)
}
