import { randomUUID } from 'node:crypto'
import type { Transaction } from '#server/database/port.ts'
import { type AuthContext, type Client, clientOf, type Services } from './context.ts'
import { AuthError } from './errors.ts'
import type { Metadata, UserRow } from './users/user.ts'

/** What is written down, with the kind that GoTrue files it under. */
const logTypes = {
  login: 'account',
  logout: 'account',
  invite_accepted: 'account',
  user_signedup: 'team',
  user_invited: 'team',
  user_deleted: 'team',
  link_generated: 'user',
  user_modified: 'user',
  user_repeated_signup: 'user',
  user_confirmation_requested: 'user',
  user_recovery_requested: 'user',
  user_reauthenticate_requested: 'user',
  user_updated_password: 'user',
  email_change_requested: 'user',
  identity_linked: 'user',
  identity_unlinked: 'user',
  sso_provider_created: 'team',
  sso_provider_updated: 'team',
  sso_provider_deleted: 'team',
  login_failed: 'account',
  token_refreshed: 'token',
  token_revoked: 'token',
  token_refused: 'token',
  factor_in_progress: 'factor',
  challenge_created: 'factor',
  mfa_code_login: 'factor',
  verification_refused: 'factor',
  factor_updated: 'factor',
  factor_unenrolled: 'factor',
  factor_deleted: 'factor',
  generate_recovery_codes: 'recovery_codes',
  recovery_codes_deleted: 'recovery_codes',
  passkey_created: 'passkey',
  passkey_updated: 'passkey',
  passkey_deleted: 'passkey',
} as const

type AuditAction = keyof typeof logTypes

/** Stands for the owner's programs, which act with the secret key. */
const serviceActor: Actor = { id: '00000000-0000-0000-0000-000000000000', email: 'service_role', phone: null }

type Actor = Pick<UserRow, 'id' | 'email' | 'phone'> & Partial<Pick<UserRow, 'is_sso_user'>>

/** Somebody whom nothing is known of, or who shall not learn what is. */
export const unknownActor: Actor = { ...serviceActor, email: null }

interface AuditEntry {
  action: AuditAction
  /** Undefined: the secret key. */
  actor: Actor | undefined
  client: Client
  /** Never secrets: no tokens, codes, passwords. */
  traits?: Metadata
}

/** One line of the history of accounts, inside the transaction of what it tells. */
export async function audit(
  tx: Transaction,
  { action, actor = serviceActor, client, traits }: AuditEntry,
): Promise<void> {
  const payload = {
    action,
    actor_id: actor.id,
    actor_username: actor.email || actor.phone || '',
    actor_via_sso: actor.is_sso_user ?? false,
    log_type: logTypes[action],
    ...(traits && { traits }),
  }
  await tx.query(
    `insert into auth.audit_log_entries (id, instance_id, payload, ip_address, created_at)
     values ($1, '00000000-0000-0000-0000-000000000000', $2, $3, now())`,
    [randomUUID(), JSON.stringify(payload), client.address ?? ''],
  )
}

/** Who an entry about somebody else is about. */
export const traitsOf = (user: Pick<UserRow, 'id' | 'email' | 'phone'>): Metadata => ({
  user_id: user.id,
  user_email: user.email ?? '',
  user_phone: user.phone ?? '',
})

/** Writes down that somebody could not prove who they are, and why; outside the transaction, which came to nothing. */
export async function auditFailedSignIn(c: AuthContext, error: unknown, provider?: string): Promise<void> {
  if (!(error instanceof AuthError)) return
  const traits = { reason: error.code, ...(provider && { provider }) }
  await c.var.services.db.asOwner('failed sign-in', (tx) =>
    audit(tx, { action: 'login_failed', actor: unknownActor, client: clientOf(c), traits }),
  )
}

/** For promises: notes the refusal, and passes it on. */
export const auditAndRethrow =
  (c: AuthContext, provider?: string) =>
  async (error: unknown): Promise<never> => {
    await auditFailedSignIn(c, error, provider)
    throw error
  }

interface Attempt {
  actor: Pick<UserRow, 'id' | 'email' | 'phone'>
  client: Client
  /** What was attempted; ids, never codes. */
  traits: Metadata
}

/** Writes refused proofs into the audit log, in a transaction of its own: that of the attempt is undone. */
export async function auditRefusals<T>(
  { db }: Pick<Services, 'db'>,
  { actor, client, traits }: Attempt,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AuthError && error.status < 500) {
      const entry = { action: 'verification_refused', actor, client } as const
      await db.asOwner('refused proof', (tx) =>
        audit(tx, { ...entry, traits: { ...traits, reason: error.code } }),
      )
    }
    throw error
  }
}
