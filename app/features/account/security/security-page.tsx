import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { authCallback } from '#app/session/auth-callback.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Banner, PageHeading } from '#app/ui/page.tsx'
import { kindProblem } from '../kind-words.ts'
import { StepUpDialog } from '../second-step/step-up.tsx'
import { ChangeEmail } from './change-email.tsx'
import { ChangePassword } from './change-password.tsx'
import { LinkedAccounts } from './linked-accounts.tsx'
import { Passkeys } from './passkeys.tsx'
import type { Security } from './read-security.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SecondFactors } from './second-factors.tsx'
import { Sessions } from './sessions.tsx'

interface SecurityPageProps {
  security: Security
  /** The admin page that sent its reader here, because it asks for a second step. */
  next: string | undefined
}

/** All by which an account is entered and protected. What the service does not have is not there. */
export function SecurityPage({ security, next }: SecurityPageProps) {
  const { email, newEmail, identities, factors, codesLeft, passkeys, sessions, ways } = security
  const isProtected = factors.length > 0
  const others = identities.filter(({ provider }) => provider !== 'email')
  return (
    <>
      <p>
        <Link to="/profile" className="inline-flex min-h-11 items-center text-accent hover:underline">
          ← Your profile
        </Link>
      </p>
      <PageHeading title="Account security" blurb="How you sign in, and what keeps others out." />
      <div className="mt-8 mb-10 space-y-4">
        <Arrived />
        {next && <NeededForAdmins isProtected={isProtected} next={next} />}
      </div>
      <StepUpDialog />
      <SecondFactors factors={factors} texts={ways.texts} />
      {isProtected && <RecoveryCodes left={codesLeft} email={email} />}
      {passkeys && <Passkeys passkeys={passkeys} />}
      <ChangePassword email={email} />
      <ChangeEmail key={email} email={email} newEmail={newEmail} />
      {(ways.providers.length > 0 || others.length > 0) && (
        <LinkedAccounts identities={identities} providers={ways.providers} />
      )}
      {sessions && sessions.length > 0 && <Sessions sessions={sessions} />}
    </>
  )
}

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
function Arrived() {
  const [{ error: problem, message }, setArrived] = useState<NonNullable<ReturnType<typeof authCallback>>>({})
  useEffect(() => setArrived(authCallback() ?? {}), [])
  return (
    <>
      {problem && <Banner tone="error">{kindProblem(problem)}</Banner>}
      {message && <Banner tone="success">{message}</Banner>}
    </>
  )
}
