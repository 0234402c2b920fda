import { openSession } from '#app/session/session.ts'
import { Banner } from '#app/ui/page.tsx'
import { EmailField } from '../email-field.tsx'
import { granted } from '../kind-words.ts'
import { FormButtons } from './form-buttons.tsx'
import { Section } from './section.tsx'
import { useChange } from './use-change.ts'

interface ChangeEmailProps {
  email: string
  /** What still waits for its confirmation. */
  newEmail: string
}

/** Another address; both mailboxes are asked, so that nobody can take the account away in silence. */
export function ChangeEmail({ email, newEmail }: ChangeEmailProps) {
  const { onSubmitChange, failure, isBusy } = useChange()
  const submit = onSubmitChange(async (fields) => {
    const wanted = String(fields.get('email') ?? '').trim()
    if (!wanted) throw { status: 400, message: 'Please fill in all fields' }
    if (wanted.toLowerCase() === email.toLowerCase()) {
      throw { status: 400, message: 'This is your address already.' }
    }
    const { client } = await openSession()
    const emailRedirectTo = `${location.origin}/profile/security`
    granted(await client.updateUser({ email: wanted }, { emailRedirectTo }))
  }, 'Please look into your mailbox.')
  return (
    <Section title="E-mail" blurb={<>You sign in with {email || 'another way'} now.</>}>
      {newEmail && (
        <Banner tone="note">
          {email
            ? `Two mails are on their way, to ${email} and to ${newEmail}. Open the link in both: then the new address counts.`
            : `A mail is on its way to ${newEmail}. Open the link in it: then the address counts.`}
        </Banner>
      )}
      <form method="post" noValidate onSubmit={submit} className="max-w-md space-y-5">
        {failure && <Banner tone="error">{failure}</Banner>}
        <EmailField label="New e-mail" autoComplete="email" />
        <FormButtons isBusy={isBusy} label="Change e-mail" />
      </form>
    </Section>
  )
}
