import type { FactorRow, IdentityRow, UserRow } from './rows.ts'

/** A user as clients know it (protocol.md 2.1). Times that are not set are left out. */
export function renderUser(user: UserRow) {
  return {
    id: user.id,
    aud: user.aud ?? '',
    role: user.role ?? '',
    email: user.email ?? '',
    ...times(user, ['email_confirmed_at']),
    phone: user.phone ?? '',
    ...times(user, [
      'phone_confirmed_at',
      'confirmation_sent_at',
      'confirmed_at',
      'recovery_sent_at',
      'email_change_sent_at',
      'phone_change_sent_at',
      'reauthentication_sent_at',
      'invited_at',
      'last_sign_in_at',
      'banned_until',
      'deleted_at',
    ]),
    ...(user.email_change && { new_email: user.email_change }),
    ...(user.phone_change && { new_phone: user.phone_change }),
    app_metadata: user.raw_app_meta_data ?? {},
    user_metadata: user.raw_user_meta_data ?? {},
    ...(user.factors.length > 0 && { factors: user.factors.map(renderFactor) }),
    identities: user.identities.map(renderIdentity),
    created_at: instant(user.created_at),
    updated_at: instant(user.updated_at),
    is_anonymous: user.is_anonymous,
  }
}

export type RenderedUser = ReturnType<typeof renderUser>

const renderIdentity = (identity: IdentityRow) => ({
  identity_id: identity.id,
  id: identity.provider_id,
  user_id: identity.user_id,
  identity_data: identity.identity_data,
  provider: identity.provider,
  ...times(identity, ['last_sign_in_at']),
  created_at: instant(identity.created_at),
  updated_at: instant(identity.updated_at),
  ...(identity.email && { email: identity.email }),
})

export const renderFactor = (factor: FactorRow) => ({
  id: factor.id,
  status: factor.status,
  friendly_name: factor.friendly_name ?? '',
  factor_type: factor.factor_type,
  ...(factor.phone && { phone: factor.phone }),
  created_at: instant(factor.created_at),
  updated_at: instant(factor.updated_at),
  ...times(factor, ['last_challenged_at']),
})

/** RFC 3339 in UTC. Bans without end are what the database calls infinity. */
export const instant = (text: string): string => (text === 'infinity' ? text : new Date(text).toISOString())

function times<Row extends object, Name extends keyof Row>(row: Row, names: readonly Name[]) {
  const set = names.flatMap((name) =>
    typeof row[name] === 'string' ? [[name, instant(row[name])] as const] : [],
  )
  return Object.fromEntries(set) as Partial<Record<Name, string>>
}
