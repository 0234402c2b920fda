import { z } from 'zod'
import type { Transaction } from '#server/database/port.ts'
import { audit, auditRefusals } from '../audit.ts'
import { type Client, clientOf, type Endpoint, nowIso, type Services } from '../context.ts'
import { authErrors, passkeyErrors } from '../errors.ts'
import { readBody } from '../request-body.ts'
import { type IssuedSession, startSession, tokenResponse } from '../sessions/lifecycle.ts'
import { findUser } from '../users/queries.ts'
import { isBanned } from '../users/user.ts'
import {
  findPasskeyByCredential,
  keepChallenge,
  mustBeInTime,
  notePasskeyUse,
  PASSKEY_CHALLENGE_SECONDS,
  PasskeyAnswer,
  type PasskeyRow,
  takeChallenge,
} from './passkeys.ts'
import { mustBeConfirmed } from './registration.ts'
import { checkRequest, relyingPartyOf, requestOptions } from './webauthn.ts'

const ceremony = { type: 'authentication' } as const
/** Whoever signs in by an unknown key leaves a trace too. */
const unknown = { id: '00000000-0000-0000-0000-000000000000', email: null, phone: null }

/** POST /passkeys/authentication/options */
export const passkeyRequestOptions: Endpoint = async (c) => c.json(await beginSignIn(c.var.services))

/** The options for a sign-in; which passkey, the person chooses on their device. */
async function beginSignIn({ db, settings, now }: Services) {
  const terms = { use: 'passkey', seconds: PASSKEY_CHALLENGE_SECONDS } as const
  const options = await requestOptions(relyingPartyOf(settings), terms)
  const kept = await db.asOwner('passkey challenge', (tx) =>
    keepChallenge(tx, ceremony, options.challenge, now()),
  )
  return { ...kept, options }
}

/** POST /passkeys/authentication/verify: a session. */
export const signInWithPasskey: Endpoint = async (c) => {
  const { services } = c.var
  const { challenge_id: challengeId, credential } = await readBody(c, PasskeyAnswer)
  const issued = await finishSignIn(services, { challengeId, credential, client: clientOf(c) })
  return c.json(await tokenResponse(services, issued))
}

interface Answer {
  challengeId: string
  /** As the client sent it. */
  credential: unknown
  client: Client
}

/** What the answer says about itself; nothing of it is believed before the signature. */
const Claimed = z.object({ id: z.string().regex(/^[\w-]{1,1400}$/) })

/** A session for a signature. Errors: webauthn_*, user_banned, email_not_confirmed. */
async function finishSignIn(services: Services, answer: Answer): Promise<IssuedSession> {
  const { db } = services
  const { data: claimed } = Claimed.safeParse(answer.credential)
  const passkey = claimed && (await db.asOwner('passkey', (tx) => findPasskeyByCredential(tx, claimed.id)))
  const actor = passkey ? { ...unknown, id: passkey.user_id } : unknown
  const traits = { provider: 'passkey', ...(passkey && { passkey_id: passkey.id }) }
  return auditRefusals(services, { actor, client: answer.client, traits }, async () => {
    const use = await verifySignature(services, passkey, answer)
    return db.asOwner('sign-in by passkey', (tx) =>
      openSession(tx, services, { ...use, client: answer.client }),
    )
  })
}

interface Use {
  passkey: PasskeyRow
  counter: number
  backedUp: boolean
}

async function verifySignature(
  services: Services,
  passkey: PasskeyRow | undefined,
  answer: Answer,
): Promise<Use> {
  const taken = await services.db.asOwner('passkey challenge', (tx) =>
    takeChallenge(tx, answer.challengeId, ceremony),
  )
  mustBeInTime(taken, services.now())
  if (!passkey) throw passkeyErrors.unknownKey()
  const outcome = await checkRequest(relyingPartyOf(services.settings), {
    response: answer.credential,
    challenge: taken.session_data.challenge,
    use: 'passkey',
    key: { ...passkey, id: passkey.credentialId },
    owner: passkey.user_id,
  })
  if (!outcome) throw passkeyErrors.notVerified()
  return { passkey, ...outcome }
}

async function openSession(
  tx: Transaction,
  services: Services,
  { passkey, counter, backedUp, client }: Use & { client: Client },
): Promise<IssuedSession> {
  const user = await findUser(tx, { id: passkey.user_id }, { lock: true })
  if (!user) throw passkeyErrors.unknownKey()
  if (isBanned(user, services.now())) throw authErrors.banned(400)
  mustBeConfirmed(user, 400)
  const at = nowIso(services)
  if (!(await notePasskeyUse(tx, passkey.id, { counter, backedUp, at }))) throw passkeyErrors.notVerified()
  await audit(tx, { action: 'login', actor: user, client, traits: { provider: 'passkey' } })
  return startSession(tx, services, { user, method: 'passkey', client })
}
