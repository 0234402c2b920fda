/** A JSON object of a user's data. */
export type Metadata = Record<string, unknown>

/** Kinds of address; each is an identity of its own. */
export type AddressProvider = 'email' | 'phone'

export type Address = { email: string } | { phone: string }

export const providerOf = (address: Address): AddressProvider => ('email' in address ? 'email' : 'phone')

export const textOf = (address: Address): string => ('email' in address ? address.email : address.phone)

/** An account as `auth.users` holds it. Times are ISO 8601 text. */
export interface UserRow {
  id: string
  aud: string | null
  role: string | null
  email: string | null
  phone: string | null
  encrypted_password: string | null
  email_confirmed_at: string | null
  phone_confirmed_at: string | null
  confirmed_at: string | null
  confirmation_sent_at: string | null
  recovery_sent_at: string | null
  reauthentication_sent_at: string | null
  invited_at: string | null
  last_sign_in_at: string | null
  email_change: string | null
  email_change_sent_at: string | null
  /** 1 after the first of the two mailboxes has confirmed. */
  email_change_confirm_status: number | null
  phone_change: string | null
  phone_change_sent_at: string | null
  raw_app_meta_data: Metadata | null
  raw_user_meta_data: Metadata | null
  banned_until: string | null
  created_at: string
  updated_at: string
  deleted_at: string | null
  is_anonymous: boolean
  is_sso_user: boolean
  identities: IdentityRow[]
  factors: FactorRow[]
}

/** What somebody can sign in by: the address itself, or an account at a provider. */
export interface IdentityRow {
  id: string
  provider_id: string
  user_id: string
  identity_data: Metadata
  provider: string
  last_sign_in_at: string | null
  created_at: string
  updated_at: string
  email: string | null
}

export interface FactorRow {
  id: string
  friendly_name: string | null
  factor_type: 'totp' | 'phone' | 'webauthn' | 'recovery_code'
  status: 'verified' | 'unverified'
  phone: string | null
  last_challenged_at: string | null
  created_at: string
  updated_at: string
}

/** The columns that our code writes after the account was made. */
export type UserChanges = Partial<
  Omit<UserRow, 'id' | 'identities' | 'factors' | 'confirmed_at' | 'created_at'>
>

export const isBanned = ({ banned_until: until }: Pick<UserRow, 'banned_until'>, now: number): boolean =>
  until !== null && (until === 'infinity' || Date.parse(until) > now)

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
