/** Something beyond the password that an account has to show (specification, section 3: factors). */
export interface SecondFactor {
  id: string
  type: 'totp' | 'phone' | 'webauthn' | 'recovery_code'
  /** What its owner calls it; empty when it has no name. */
  name: string
  /** For text messages: the number, or what the service tells of it. */
  phone?: string
  /** When it was added, ISO 8601. */
  addedAt: string
}
