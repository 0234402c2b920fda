import type { Transaction } from '#server/database/port.ts'
import { enqueueEmail } from './emails.ts'
import { insertFlowState } from './flow-state.ts'
import { issueToken } from './one-time-tokens/issue.ts'
import type { Challenge } from './pkce.ts'
import type { Services } from './services.ts'
import { updateUser } from './users/repository.ts'
import type { UserRow } from './users/rows.ts'

interface EmailChange {
  user: UserRow
  newEmail: string
  redirectTo: string
  challenge?: Challenge | undefined
  /** The session that asks, which the change does not end. */
  sessionId?: string | undefined
}

/** Asks both mailboxes: the one to come, and the current one if there is one. */
export async function enqueueEmailChange(
  tx: Transaction,
  services: Services,
  { user, newEmail, redirectTo, challenge, sessionId }: EmailChange,
): Promise<void> {
  const at = new Date(services.now()).toISOString()
  await updateUser(tx, user.id, { email_change: newEmail, email_change_confirm_status: 0, updated_at: at })
  const flowId =
    challenge && (await insertFlowState(tx, { userId: user.id, challenge, method: 'email_change', at }))
  const common = { link: { type: 'email_change' as const, redirectTo }, newEmail }
  const pkce = challenge !== undefined
  const bound = { user, flowId, sessionId }
  const forNew = await issueToken(tx, services, {
    ...bound,
    type: 'email_change_token_new',
    address: newEmail,
  })
  await enqueueEmail(tx, services, { kind: 'emailChangeNew', to: newEmail, token: forNew, pkce, ...common })
  if (!user.email) return
  const type = 'email_change_token_current'
  const token = await issueToken(tx, services, { ...bound, type, address: user.email })
  await enqueueEmail(tx, services, { kind: 'emailChangeCurrent', to: user.email, token, pkce, ...common })
}
