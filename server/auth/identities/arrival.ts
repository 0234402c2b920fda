import type { Client } from '../context.ts'
import type { Person } from '../oauth/port.ts'
import type { Challenge } from '../pkce.ts'

/** Somebody whom a provider has just vouched for. */
export interface Arrival {
  /** `google`, …, or `sso:<id>` for an organisation's own. */
  provider: string
  person: Person
  client: Client
  at: string
  /** For the mail that confirms an address which the provider has not. */
  redirectTo: string
  challenge: Challenge | undefined
}

/** Organisations vouch for their own people only: their accounts stand apart from all others. */
export const isOrganisation = (provider: string): boolean => provider.startsWith('sso:')
