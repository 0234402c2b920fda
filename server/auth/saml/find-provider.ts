import { isUuid } from '#domain/uuid.ts'
import { isUniqueViolation } from '#server/database/errors.ts'
import type { Transaction } from '#server/database/port.ts'
import type { AuthContext } from '../context.ts'
import { authErrors, samlErrors } from '../errors.ts'
import { findSsoProvider, type SsoProviderRow } from './repository.ts'

/** The id in the path. Errors: 404 validation_failed. */
export function ssoProviderIdOf(c: AuthContext): string {
  const id = c.req.param('id') ?? ''
  if (!isUuid(id)) throw authErrors.notFoundId('idp_id must be an UUID')
  return id
}

/** Errors: sso_provider_not_found. */
export async function knownSsoProvider(tx: Transaction, id: string): Promise<SsoProviderRow> {
  const provider = await findSsoProvider(tx, { id })
  if (!provider) throw samlErrors.noProvider()
  return provider
}

/** What is taken, in the protocol's words. Errors: saml_idp_already_exists, sso_domain_already_exists. */
export function refuseTakenProvider(error: unknown): never {
  if (!isUniqueViolation(error)) throw error
  if (error.constraint?.includes('domain')) throw samlErrors.domainExists()
  if (error.constraint?.includes('resource_id')) throw samlErrors.resourceIdExists()
  throw samlErrors.idpExists()
}
