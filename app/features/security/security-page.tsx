import type { PasskeyListItem, UserIdentity } from '@supabase/auth-js'
import { useEffect, useState } from 'react'
import { href, Link } from 'react-router'
import { formActions } from '#app/features/forms/action-form.tsx'
import { callbackMessage, dataOf } from '#app/features/forms/error-messages.ts'
import { mfaActions, StepUpDialog, withStepUp } from '#app/features/login/mfa-challenge.tsx'
import { findSignInMethods, noOtherMethods, type SignInMethods } from '#app/features/login/sign-in-methods.ts'
import { authCallback } from '#app/session/auth-callback.ts'
import { factorsOf } from '#app/session/client/current-user-sync.ts'
import type { OwnSession } from '#app/session/client/library.ts'
import type { SecondFactor } from '#app/session/current-user.tsx'
import { openSession } from '#app/session/session.ts'
import type { SiteSettings } from '#app/session/site.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Banner, PageHeading } from '#app/ui/page.tsx'
import { addFactorActions } from './add-factor.tsx'
import { RecoveryCodes, SecondFactors, secondFactorActions } from './second-factors.tsx'
import { Sessions, sessionActions } from './sessions.tsx'
import {
  ChangeEmail,
  ChangePassword,
  LinkedAccounts,
  Passkeys,
  signInSettingActions,
} from './sign-in-settings.tsx'

/** Everything by which an account is entered and protected. */
export interface Security {
  email: string
  /** An address that still waits for its confirmation; empty when none does. */
  newEmail: string
  identities: readonly UserIdentity[]
  factors: readonly SecondFactor[]
  /** How many recovery codes are left; null when there are none yet. */
  codesLeft: number | null
  /** Null where the service has no passkeys. */
  passkeys: readonly PasskeyListItem[] | null
  /** Null where the database cannot tell. */
  sessions: readonly OwnSession[] | null
  methods: SignInMethods
}

/** Asks for all of it at once; what a service does not have is left out. Errors: the account cannot be read. */
export async function readSecurity(settings: SiteSettings): Promise<Security> {
  const { client, library } = await openSession()
  const api = { url: settings.apiUrl, fetch: window.fetch.bind(window) }
  const [account, methods, sessions, passkeys] = await Promise.all([
    client.getUser(),
    findSignInMethods({ settings, api }),
    library.rpc('own_sessions'),
    client.passkey.list(),
  ])
  const { user } = dataOf(account)
  const factors = factorsOf(user)
  const hasCodes = factors.some(({ type }) => type === 'recovery_code')
  const codes = hasCodes ? await client.mfa.recoveryCodes.getStatus() : null
  return {
    email: user.email ?? '',
    newEmail: user.new_email ?? '',
    identities: user.identities ?? [],
    factors,
    codesLeft: codes?.data?.remaining ?? null,
    passkeys: passkeys.data,
    sessions: sessions.data,
    methods: methods ?? noOtherMethods,
  }
}

interface SecurityPageProps {
  security: Security
  /** The admin page that sent its reader here, because it asks for a second step. */
  next: string | undefined
}

/** All by which an account is entered and protected. What the service does not have is not there. */
export function SecurityPage({ security, next }: SecurityPageProps) {
  const { email, newEmail, identities, factors, codesLeft, passkeys, sessions, methods } = security
  const isProtected = factors.length > 0
  const others = identities.filter(({ provider }) => provider !== 'email')
  return (
    <>
      <p>
        <Link to={href('/profile')} className="inline-flex min-h-11 items-center text-accent hover:underline">
          ← Your profile
        </Link>
      </p>
      <PageHeading title="Account security" blurb="How you sign in, and what keeps others out." />
      <div className="mt-8 mb-10 space-y-4">
        <CallbackMessages />
        {next && <NeededForAdmins isProtected={isProtected} next={next} />}
      </div>
      <StepUpDialog />
      <SecondFactors factors={factors} texts={methods.texts} />
      {isProtected && <RecoveryCodes left={codesLeft} email={email} />}
      {passkeys && <Passkeys passkeys={passkeys} />}
      <ChangePassword email={email} />
      <ChangeEmail key={email} email={email} newEmail={newEmail} />
      {(methods.providers.length > 0 || others.length > 0) && (
        <LinkedAccounts identities={identities} providers={methods.providers} />
      )}
      {sessions && sessions.length > 0 && <Sessions sessions={sessions} />}
    </>
  )
}

/** All that can be changed here; where the service wants the second factor first, it is asked for. */
export const securityAction = formActions(
  {
    ...mfaActions,
    ...secondFactorActions,
    ...addFactorActions,
    ...signInSettingActions,
    ...sessionActions,
  },
  undefined,
  withStepUp,
)

/** Why an admin is here in place of the page that was asked for. */
const NeededForAdmins = ({ isProtected, next }: { isProtected: boolean; next: string }) =>
  isProtected ? (
    <Banner tone="success">
      Your second step is on. <ButtonLink to={next}>Go on to the admin area</ButtonLink>
    </Banner>
  ) : (
    <Banner tone="note">
      The admin area asks for a second step. Add an authenticator app here, and you can go on.
    </Banner>
  )

/** What a link from a mailbox or a provider had to say. */
function CallbackMessages() {
  const [{ error, message }, setCallback] = useState<NonNullable<ReturnType<typeof authCallback>>>({})
  useEffect(() => setCallback(authCallback() ?? {}), [])
  return (
    <>
      {error && <Banner tone="error">{callbackMessage(error)}</Banner>}
      {message && <Banner tone="success">{message}</Banner>}
    </>
  )
}
