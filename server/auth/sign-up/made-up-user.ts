import { randomUUID } from 'node:crypto'
import { renderUser } from '../users/render-user.ts'
import type { Metadata, UserRow } from '../users/rows.ts'

interface MadeUp {
  email?: string
  phone?: string
  data: Metadata | undefined
  at: string
}

/**
 * What a sign-up answers for an address that already has an account: nobody, who looks like somebody. The empty list
 * of identities is GoTrue's own sign, which clients use for a kind word.
 */
export function madeUpUser({ email, phone, data, at }: MadeUp) {
  const id = randomUUID()
  const provider = email ? 'email' : 'phone'
  const user: UserRow = {
    ...nobody,
    id,
    email: email ?? null,
    phone: phone ?? null,
    confirmation_sent_at: at,
    raw_app_meta_data: { provider, providers: [provider] },
    raw_user_meta_data: {
      ...data,
      sub: id,
      ...(email && { email }),
      ...(phone && { phone }),
      email_verified: false,
      phone_verified: false,
    },
    created_at: at,
    updated_at: at,
  }
  return renderUser(user)
}

const nobody: UserRow = {
  id: '',
  aud: 'authenticated',
  role: 'authenticated',
  email: null,
  phone: null,
  encrypted_password: null,
  email_confirmed_at: null,
  phone_confirmed_at: null,
  confirmed_at: null,
  confirmation_sent_at: null,
  recovery_sent_at: null,
  reauthentication_sent_at: null,
  invited_at: null,
  last_sign_in_at: null,
  email_change: null,
  email_change_sent_at: null,
  email_change_confirm_status: 0,
  phone_change: null,
  phone_change_sent_at: null,
  raw_app_meta_data: null,
  raw_user_meta_data: null,
  banned_until: null,
  created_at: '',
  updated_at: '',
  deleted_at: null,
  is_anonymous: false,
  is_sso_user: false,
  identities: [],
  factors: [],
}
