import { randomInt, randomUUID } from 'node:crypto'
import type { Transaction } from '#server/database/port.ts'
import { PKCE_PREFIX } from '../pkce.ts'
import { digest } from '../secrets.ts'
import type { Services } from '../services.ts'
import { updateUser } from '../users/repository.ts'
import type { UserChanges, UserRow } from '../users/rows.ts'
import { replaceToken, type TokenType, takeToken } from './repository.ts'

/** Takes back what was done, when the message about it could not be sent. */
export type Undo = (tx: Transaction) => Promise<unknown>

/** The two forms of one proof, to be sent to one address. */
export interface IssuedToken {
  code: string
  /** What a link carries, and what verifyOtp takes as token_hash. */
  linkSecret: string
  undo: Undo
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
  pkce?: boolean
  /** A code that is agreed on beforehand, for test phones. */
  fixedCode?: string | undefined
}

/** Makes a token that takes the place of an earlier one of its type. */
export async function issueToken(
  tx: Transaction,
  { secrets, now }: Pick<Services, 'secrets' | 'now'>,
  { user, type, address, pkce = false, fixedCode }: Wanted,
): Promise<IssuedToken> {
  const id = randomUUID()
  const at = new Date(now()).toISOString()
  const code = fixedCode ?? sixDigits()
  const linkSecret = `${pkce ? PKCE_PREFIX : ''}${secrets.linkSecret(id, code)}`
  const token = { id, user_id: user.id, token_type: type, relates_to: address, created_at: at }
  const replaced = await replaceToken(tx, { ...token, token_hash: digest(linkSecret) })
  const column = sentAtColumns[type]
  await updateUser(tx, user.id, { [column]: at } as UserChanges)
  return {
    code,
    linkSecret,
    async undo(again) {
      await takeToken(again, id)
      if (replaced) await replaceToken(again, replaced)
      await updateUser(again, user.id, { [column]: user[column] } as UserChanges)
    },
  }
}

const sixDigits = (): string => String(randomInt(1_000_000)).padStart(6, '0')
