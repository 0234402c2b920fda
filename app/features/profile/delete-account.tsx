import { lazy, Suspense, useId, useState } from 'react'
import { href, useNavigate } from 'react-router'
import * as z from 'zod/mini'
import { ActionForm, formAction, useActionForm } from '#app/features/forms/action-form.tsx'
import { dataOf, PlainError } from '#app/features/forms/error-messages.ts'
import { PasswordField, passwordSchema } from '#app/features/forms/fields.tsx'
import { currentMember, type SecondFactor } from '#app/session/current-user.tsx'
import { openSession } from '#app/session/session.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/forms/dialog.tsx'
import { Banner } from '#app/ui/page.tsx'
import { toast } from '#app/ui/toast.tsx'

const MfaChallenge = lazy(async () => ({
  default: (await import('#app/features/login/mfa-challenge.tsx')).MfaChallenge,
}))

/** Ends the account after saying what is lost. The proof is the second step, or the password where there is none. */
export function DeleteAccount({ email }: { email: string }) {
  const [factors, setFactors] = useState<readonly SecondFactor[] | null>(null)
  const title = useId()
  const open = async () => setFactors((await openSession()).factors())
  return (
    <section>
      <h2 className="text-lg">Delete account</h2>
      <Button look="quiet" className="-ms-5" onClick={open}>
        Delete my account…
      </Button>
      {factors && (
        <Dialog labelledBy={title} onClosed={() => setFactors(null)}>
          {(close) => (
            <>
              <h2 id={title} className="text-2xl">
                Delete your account?
              </h2>
              <p className="mt-3 text-muted">
                Your profile and your saved resources are lost for good, and you are logged out on all your
                devices. Nobody can bring them back.
              </p>
              <div className="mt-5 space-y-5">
                {factors.length > 0 ? <ByMfa factors={factors} /> : <ByPassword email={email} />}
                <Button look="secondary" onClick={close}>
                  Keep it
                </Button>
              </div>
            </>
          )}
        </Dialog>
      )}
    </section>
  )
}

function ByMfa({ factors }: { factors: readonly SecondFactor[] }) {
  const form = useActionForm('delete-account', useLeaving())
  return (
    <Suspense>
      {form.failure && <Banner tone="error">{form.failure}</Banner>}
      <MfaChallenge factors={factors} submitLabel="Delete account" onVerified={() => form.submit()} />
    </Suspense>
  )
}

function ByPassword({ email }: { email: string }) {
  const form = useActionForm('delete-account-by-password', useLeaving())
  return (
    <ActionForm form={form}>
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <PasswordField
        label="Your password"
        id="delete-password"
        autoComplete="current-password"
        aria-invalid={'password' in form.errors}
      />
      <Button type="submit" disabled={form.isBusy}>
        {form.isBusy ? 'Please wait...' : 'Delete account'}
      </Button>
    </ActionForm>
  )
}

export const deleteAccountActions = {
  'delete-account': formAction(z.object({}), deleteAccount),
  /** Signing in again proves the password; the database asks for that (docs/decisions/0010). */
  'delete-account-by-password': formAction(
    z.object({ username: z.string(), password: passwordSchema }),
    async ({ username: email, password }) => {
      const { client } = await openSession()
      dataOf(await client.signInWithPassword({ email, password }))
      await deleteAccount()
    },
  ),
}

/** After a fresh proof. Errors: in words for the member. */
async function deleteAccount(): Promise<void> {
  const { library } = await openSession()
  const { error } = await library.rpc('delete_account')
  if (error) throw new PlainError('Your account could not be deleted. Please try again.')
}

/** What follows when the account is gone: this browser forgets whose it was. */
function useLeaving(): () => Promise<void> {
  const navigate = useNavigate()
  return async () => {
    const { signOut } = await openSession()
    await navigate(href('/'))
    const { dropDraftsOf } = await import('#app/session/client/draft-store.ts')
    await dropDraftsOf(currentMember()?.id ?? '')
    await signOut()
    toast('Your account is deleted.')
  }
}
