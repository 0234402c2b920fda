import { timingSafeEqual } from 'node:crypto'
import type { Transaction } from '#server/database/port.ts'
import type { Services } from '../context.ts'
import { PKCE_PREFIX } from '../pkce.ts'
import { digest } from '../secrets.ts'
import { OTP_LIFETIME_SECONDS } from '../settings.ts'
import { findTokenByHash, findTokensOf, type OneTimeTokenRow, type TokenType } from './repository.ts'

type Context = Pick<Services, 'secrets' | 'now'>

/** The token of a mailed link, if it is of one of the types and in time. */
export async function tokenByLink(
  tx: Transaction,
  { now }: Context,
  linkSecret: string,
  types: readonly TokenType[],
): Promise<OneTimeTokenRow | undefined> {
  const token = await findTokenByHash(tx, digest(linkSecret))
  return token && types.includes(token.token_type) && isInTime(token, now()) ? token : undefined
}

interface Typed {
  userId: string
  code: string
  /** Where the code was sent. */
  address: string
  types: readonly TokenType[]
}

/** The token of a code that somebody typed, if it is of one of the types, sent to that address, and in time. */
export async function tokenByCode(
  tx: Transaction,
  { secrets, now }: Context,
  { userId, code, address, types }: Typed,
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
