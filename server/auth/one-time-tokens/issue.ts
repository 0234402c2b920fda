import { randomUUID } from 'node:crypto'
import type { Transaction } from '#server/database/port.ts'
import type { Services } from '../context.ts'
import { PKCE_PREFIX } from '../pkce.ts'
import { digest } from '../secrets.ts'
import { updateUser } from '../users/queries.ts'
import type { UserChanges, UserRow } from '../users/user.ts'
import { deleteTokensOf, renewToken, replaceToken, type TokenType } from './repository.ts'

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

interface Wanted {
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
  { secrets, now }: Pick<Services, 'secrets' | 'now'>,
  { user, type, address, flowId, sessionId, fixedCode }: Wanted,
): Promise<IssuedToken> {
  const id = randomUUID()
  const at = new Date(now()).toISOString()
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
  { secrets, now }: Pick<Services, 'secrets' | 'now'>,
  { id, pkce }: { id: string; pkce: boolean },
): Promise<IssuedToken | undefined> {
  const at = new Date(now()).toISOString()
  if (!(await renewToken(tx, id, at))) return undefined
  const code = secrets.code(id)
  return { id, code, linkSecret: `${pkce ? PKCE_PREFIX : ''}${secrets.linkSecret(id, code)}` }
}
