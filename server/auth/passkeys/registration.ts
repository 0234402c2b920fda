import { isUniqueViolation, type Transaction } from '#server/database/port.ts'
import { audit, auditRefusals } from '../audit.ts'
import { type Client, clientOf, type Endpoint, type Member, nowIso, type Services } from '../context.ts'
import { notifyAccountChange } from '../emails.ts'
import { authErrors, passkeyErrors } from '../errors.ts'
import { lockMember } from '../mfa/assurance.ts'
import { readBody } from '../request-body.ts'
import type { UserRow } from '../users/user.ts'
import {
  type Ceremony,
  findPasskey,
  findPasskeysOf,
  insertPasskey,
  keepChallenge,
  mustBeInTime,
  PASSKEY_CHALLENGE_SECONDS,
  PasskeyAnswer,
  type PasskeyRow,
  renderPasskey,
  takeChallenge,
} from './passkeys.ts'
import { checkCreation, creationOptions, type NewKey, relyingPartyOf } from './webauthn.ts'

const MOST_PASSKEYS = 10
export const TO_ADD_PASSKEY = { message: 'AAL2 required to add a passkey' }

/** POST /passkeys/registration/options */
export const passkeyCreationOptions: Endpoint = async (c) =>
  c.json(await beginRegistration(c.var.services, c.var.member))

/** The options for a new passkey. Errors: insufficient_aal, too_many_passkeys, and those of `mayHavePasskeys`. */
async function beginRegistration(services: Services, member: Member) {
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

/** POST /passkeys/registration/verify: the new passkey's name and times. */
export const registerPasskey: Endpoint = async (c) => {
  const { services, member } = c.var
  const { challenge_id: challengeId, credential } = await readBody(c, PasskeyAnswer)
  const client = clientOf(c)
  const attempt = { actor: member.user, client, traits: { passkey: 'registration' } }
  const passkey = await auditRefusals(services, attempt, () =>
    finishRegistration(services, member, { challengeId, credential, client }),
  )
  return c.json(renderPasskey(passkey))
}

interface Answer {
  challengeId: string
  /** As the client sent it. */
  credential: unknown
  client: Client
}

/** Keeps the passkey that was made. Errors: webauthn_*, and those of `beginRegistration`. */
async function finishRegistration(
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
    .asOwner('new passkey', (tx) => storePasskey(tx, services, member, { key, client }))
    .catch((error) => {
      throw isUniqueViolation(error) ? passkeyErrors.exists() : error
    })
}

async function storePasskey(
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
  const at = nowIso(services)
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

const ceremonyOf = ({ user, session }: Member): Ceremony => ({
  type: 'registration',
  userId: user.id,
  sessionId: session.id,
})

/** Where people keep most of their passkeys, by the model that an authenticator reports. */
const known: Readonly<Record<string, string>> = {
  'fbfc3007-154e-4ecc-8c0b-6e020557d7bd': 'iCloud Keychain',
  'dd4ec289-e01d-41c9-bb89-70fa845d4bf2': 'iCloud Keychain',
  'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4': 'Google Password Manager',
  '08987058-cadc-4b81-b6e1-30de50dcbe96': 'Windows Hello',
  '9ddd1817-af5a-4672-a2b9-3e3dd95000a9': 'Windows Hello',
  '6028b017-b1d4-4c02-b4b3-afcdafc96bb2': 'Windows Hello',
  'adce0002-35bc-c60a-648b-0b25f1f05503': 'Chrome on Mac',
  'bada5566-a7aa-401f-bd96-45619a55120d': '1Password',
  'd548826e-79b4-db40-a3d8-11116f7e8349': 'Bitwarden',
}

/** What a new passkey is called until its owner gives it a name. */
const passkeyName = (aaguid: string): string => known[aaguid] ?? 'Passkey'
