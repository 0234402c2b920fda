import { randomUUID, timingSafeEqual } from 'node:crypto'
import type { Transaction } from '#server/database/port.ts'
import { nowIso, type Services } from '../context.ts'
import { digest, PKCE_PREFIX } from '../secrets.ts'
import { updateUser } from '../users/queries.ts'
import type { UserChanges, UserRow } from '../users/user.ts'

/** Links and codes in mails and text messages are good for an hour. */
export const OTP_LIFETIME_SECONDS = 3600

/** What a one-time token is for, under GoTrue's names. */
export type TokenType =
  | 'confirmation_token'
  | 'recovery_token'
  | 'email_change_token_current'
  | 'email_change_token_new'
  | 'phone_change_token'
  | 'reauthentication_token'

export interface OneTimeTokenRow {
  id: string
  user_id: string
  token_type: TokenType
  token_hash: string
  /** The address that the token was sent to. */
  relates_to: string
  created_at: string
  /** The PKCE flow that the link brings to an end. */
  flow_state_id: string | null
  /** The session that asked for it, as long as it lasts. */
  session_id: string | null
}

/** What verifyOtp and links call a purpose, and the tokens that serve it (protocol.md, POST /verify). */
export const purposes = {
  signup: ['confirmation_token'],
  invite: ['confirmation_token'],
  magiclink: ['recovery_token', 'confirmation_token'],
  recovery: ['recovery_token'],
  email: ['confirmation_token', 'recovery_token'],
  email_change: ['email_change_token_current', 'email_change_token_new'],
  sms: ['confirmation_token', 'recovery_token'],
  phone_change: ['phone_change_token'],
} as const satisfies Record<string, readonly TokenType[]>

export type Purpose = keyof typeof purposes

export const isPurpose = (word: string): word is Purpose => Object.hasOwn(purposes, word)

/** Purposes whose tokens go to a phone. */
export const isForPhone = (purpose: Purpose): boolean => purpose === 'sms' || purpose === 'phone_change'

type SecretsAndClock = Pick<Services, 'secrets' | 'now'>

/** The two forms of one proof, to be sent to one address. */
export interface IssuedToken {
  id: string
  code: string
  /** What a link carries, and what verifyOtp takes as token_hash. */
  linkSecret: string
}

type SentAt =
  | 'confirmation_sent_at'
  | 'recovery_sent_at'
  | 'email_change_sent_at'
  | 'phone_change_sent_at'
  | 'reauthentication_sent_at'

const sentAtColumns: Readonly<Record<TokenType, SentAt>> = {
  confirmation_token: 'confirmation_sent_at',
  recovery_token: 'recovery_sent_at',
  email_change_token_current: 'email_change_sent_at',
  email_change_token_new: 'email_change_sent_at',
  phone_change_token: 'phone_change_sent_at',
  reauthentication_token: 'reauthentication_sent_at',
}

interface NewToken {
  user: UserRow
  type: TokenType
  /** Where it goes. */
  address: string
  /** The PKCE flow that the link brings to an end (`insertFlowState`). */
  flowId?: string | undefined
  /** The session that asks for it, which goes on when a change of address ends the others. */
  sessionId?: string | undefined
  /** A code that is agreed on beforehand, for test phones. */
  fixedCode?: string | undefined
}

/** Makes a token that takes the place of an earlier one of its type. */
export async function issueToken(
  tx: Transaction,
  { secrets, now }: SecretsAndClock,
  { user, type, address, flowId, sessionId, fixedCode }: NewToken,
): Promise<IssuedToken> {
  const id = randomUUID()
  const at = nowIso({ now })
  const code = fixedCode ?? secrets.code(id)
  const linkSecret = `${flowId ? PKCE_PREFIX : ''}${secrets.linkSecret(id, code)}`
  const token = {
    id,
    user_id: user.id,
    token_type: type,
    relates_to: address,
    created_at: at,
    flow_state_id: flowId ?? null,
    session_id: sessionId ?? null,
  }
  // The last message counts: the link of a sign-up before it would complete the account with that sign-up's password.
  if (type === 'recovery_token' && !user.confirmed_at && !user.invited_at)
    await deleteTokensOf(tx, user.id, 'confirmation_token')
  await replaceToken(tx, { ...token, token_hash: digest(linkSecret) })
  const column = sentAtColumns[type]
  await updateUser(tx, user.id, { [column]: at } as UserChanges)
  return { id, code, linkSecret }
}

/**
 * The two forms of a token that is to be sent now, by its id: its time begins anew, since it may have waited for a mail
 * server that was down. undefined: it was used, replaced or withdrawn meanwhile.
 */
export async function tokenToSend(
  tx: Transaction,
  { secrets, now }: SecretsAndClock,
  { id, pkce }: { id: string; pkce: boolean },
): Promise<IssuedToken | undefined> {
  const at = nowIso({ now })
  if (!(await renewToken(tx, id, at))) return undefined
  const code = secrets.code(id)
  return { id, code, linkSecret: `${pkce ? PKCE_PREFIX : ''}${secrets.linkSecret(id, code)}` }
}

/** The token of a mailed link, if it is of one of the types and in time. */
export async function tokenByLink(
  tx: Transaction,
  { now }: SecretsAndClock,
  linkSecret: string,
  types: readonly TokenType[],
): Promise<OneTimeTokenRow | undefined> {
  const token = await findTokenByHash(tx, digest(linkSecret))
  return token && types.includes(token.token_type) && isInTime(token, now()) ? token : undefined
}

interface TypedCode {
  userId: string
  code: string
  /** Where the code was sent. */
  address: string
  types: readonly TokenType[]
}

/** The token of a code that somebody typed, if it is of one of the types, sent to that address, and in time. */
export async function tokenByCode(
  tx: Transaction,
  { secrets, now }: SecretsAndClock,
  { userId, code, address, types }: TypedCode,
): Promise<OneTimeTokenRow | undefined> {
  const tokens = await findTokensOf(tx, userId)
  return tokens
    .filter(
      (token) => types.includes(token.token_type) && token.relates_to === address && isInTime(token, now()),
    )
    .find((token) => {
      const secret = secrets.linkSecret(token.id, code)
      return [secret, `${PKCE_PREFIX}${secret}`].some((form) => isSame(digest(form), token.token_hash))
    })
}

const isInTime = ({ created_at }: OneTimeTokenRow, now: number): boolean =>
  Date.parse(created_at) + OTP_LIFETIME_SECONDS * 1000 > now

const isSame = (left: string, right: string): boolean =>
  left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right))

const TOKEN = 'select to_jsonb(t) as token from auth.one_time_tokens t'

async function findTokenByHash(tx: Transaction, hash: string): Promise<OneTimeTokenRow | undefined> {
  return (await tx.query<{ token: OneTimeTokenRow }>(`${TOKEN} where t.token_hash = $1`, [hash])).rows[0]
    ?.token
}

async function findTokensOf(tx: Transaction, userId: string): Promise<OneTimeTokenRow[]> {
  const { rows } = await tx.query<{ token: OneTimeTokenRow }>(`${TOKEN} where t.user_id = $1`, [userId])
  return rows.map((row) => row.token)
}

/** Puts a token in the place of an earlier one of its type. */
async function replaceToken(tx: Transaction, token: OneTimeTokenRow): Promise<void> {
  await tx.query(
    'delete from auth.one_time_tokens where user_id = $1 and token_type = $2::auth.one_time_token_type',
    [token.user_id, token.token_type],
  )
  await tx.query(
    `insert into auth.one_time_tokens
       (id, user_id, token_type, token_hash, relates_to, created_at, updated_at, flow_state_id, session_id)
     values ($1, $2, $3, $4, $5, $6, $6, $7, $8)`,
    [
      token.id,
      token.user_id,
      token.token_type,
      token.token_hash,
      token.relates_to,
      token.created_at,
      token.flow_state_id,
      token.session_id,
    ],
  )
}

/** Lets the time of a token begin. False: there is no such token any more. */
async function renewToken(tx: Transaction, id: string, at: string): Promise<boolean> {
  const { affected } = await tx.query(
    'update auth.one_time_tokens set created_at = $2, updated_at = $2 where id = $1',
    [id, at],
  )
  return affected === 1
}

/** Uses a token up. Of two who try at once, one is told true. */
export async function takeToken(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.query('delete from auth.one_time_tokens where id = $1', [id])).affected === 1
}

export async function deleteTokensOf(tx: Transaction, userId: string, type?: TokenType): Promise<void> {
  await tx.query(
    'delete from auth.one_time_tokens where user_id = $1 and ($2::text is null or token_type::text = $2)',
    [userId, type ?? null],
  )
}
