/** A JSON object of a user's data. */
export type Metadata = Record<string, unknown>

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

/** A way in: the address itself, or an account at a provider. */
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
