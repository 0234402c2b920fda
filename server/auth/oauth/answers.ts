import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client'
import { AuthError, ProviderRefused, providerErrors } from '../errors.ts'

const MAX_DESCRIPTION = 200

/** What the library found wrong with a provider's answer, in our words. The cause goes to the log only. */
export function asProviderError(name: string, error: unknown): AuthError {
  if (error instanceof AuthError) return error
  if (error instanceof AuthorizationResponseError) {
    return new ProviderRefused(error.error, shown(error.error_description) ?? `${name} refused the sign-in`)
  }
  if (error instanceof ResponseBodyError) return providerErrors.refusedCode(name, error)
  if (!(error instanceof ClientError) || isOutage(error)) return providerErrors.unavailable(name, error)
  const about = complaintOf(error)
  if (/"nonce"/.test(about)) return providerErrors.badNonce(name)
  if (/"iss"|issuer/.test(about)) return providerErrors.mixedUp(name)
  return providerErrors.badAnswer(name, error)
}

/** Words of the provider's that people may read: plain text of a sensible length. */
const shown = (description: string | undefined): string | undefined =>
  description?.replaceAll(/\p{Cc}+/gu, ' ').slice(0, MAX_DESCRIPTION) || undefined

/** No answer, or none that could be read; what the library has looked at and refused has a code of its own. */
const isOutage = ({ code }: ClientError): boolean =>
  code === undefined || code === 'OAUTH_TIMEOUT' || code === 'OAUTH_RESPONSE_IS_NOT_CONFORM'

/** The library's sentence, or the one behind it. */
const complaintOf = ({ message, cause }: ClientError): string =>
  `${message} ${cause instanceof Error ? cause.message : ''}`
