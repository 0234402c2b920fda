/** The database roles of a request, as Supabase names them. */
export type Role = 'anon' | 'authenticated' | 'service_role'

/** Who asks: the database role and the JWT claims that policies read through `auth.jwt()`. */
export interface Caller {
  role: Role
  claims: Readonly<Record<string, unknown>>
}

/** Somebody with only the publishable key. */
export const visitor: Caller = { role: 'anon', claims: { role: 'anon' } }

/** Somebody with the secret key; row-level security does not bind this role. */
export const serviceRole: Caller = { role: 'service_role', claims: { role: 'service_role' } }
