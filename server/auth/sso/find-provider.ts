import { isSqlError } from '#server/database/errors.ts'
import type { Transaction } from '#server/database/port.ts'
import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'
import { ssoErrors } from './errors.ts'
import { findSsoProvider, type SsoProviderRow } from './repository.ts'

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
const UNIQUE_VIOLATION = '23505'

/** The id in the path. Errors: 404 validation_failed. */
export function ssoProviderIdOf(c: AuthContext): string {
  const id = c.req.param('id') ?? ''
  if (!UUID.test(id)) throw authErrors.notFoundId('idp_id must be an UUID')
  return id
}

/** Errors: sso_provider_not_found. */
export async function knownSsoProvider(tx: Transaction, id: string): Promise<SsoProviderRow> {
  const provider = await findSsoProvider(tx, { id })
  if (!provider) throw ssoErrors.noProvider()
  return provider
}

/** What is taken, in the protocol's words. Errors: saml_idp_already_exists, sso_domain_already_exists. */
export function refuseTakenProvider(error: unknown): never {
  if (!isSqlError(error) || error.code !== UNIQUE_VIOLATION) throw error
  if (error.constraint?.includes('domain')) throw ssoErrors.domainExists()
  if (error.constraint?.includes('resource_id')) throw ssoErrors.resourceIdExists()
  throw ssoErrors.idpExists()
}
