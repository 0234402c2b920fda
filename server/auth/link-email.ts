import type { Transaction } from '#server/database/port.ts'
import type { TokenEmailKind } from '#server/mail/templates/messages.ts'
import { enqueueEmail, type LinkType } from './emails.ts'
import { insertFlowState } from './flow-state.ts'
import { issueToken } from './one-time-tokens/issue.ts'
import type { TokenType } from './one-time-tokens/repository.ts'
import type { Challenge } from './pkce.ts'
import type { Services } from './services.ts'
import type { UserRow } from './users/rows.ts'

/** What belongs together for each link: the mail, the token, and what its session's amr claim says in a PKCE flow. */
const linkMails = {
  signup: { kind: 'confirm', tokenType: 'confirmation_token', method: 'otp' },
  invite: { kind: 'invite', tokenType: 'confirmation_token', method: 'otp' },
  magiclink: { kind: 'magicLink', tokenType: 'recovery_token', method: 'magiclink' },
  recovery: { kind: 'recovery', tokenType: 'recovery_token', method: 'recovery' },
} as const satisfies Record<string, { kind: TokenEmailKind; tokenType: TokenType; method: string }>

interface Wanted {
  user: UserRow
  email: string
  type: Exclude<LinkType, 'email_change'>
  redirectTo: string
  challenge?: Challenge | undefined
}

/** A mail with a link, its token made and its PKCE flow begun; it is sent when the transaction is over. */
export async function enqueueLinkEmail(tx: Transaction, services: Services, wanted: Wanted): Promise<void> {
  const { user, email, type, redirectTo, challenge } = wanted
  const { kind, tokenType, method } = linkMails[type]
  const at = new Date(services.now()).toISOString()
  const flowId = challenge && (await insertFlowState(tx, { userId: user.id, challenge, method, at }))
  const token = await issueToken(tx, services, { user, type: tokenType, address: email, flowId })
  const pkce = challenge !== undefined
  await enqueueEmail(tx, services, { kind, to: email, token, pkce, link: { type, redirectTo } })
}
