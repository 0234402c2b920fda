import { useRef, useState } from 'react'
import { openSession } from '#app/session/session.ts'
import { Banner } from '#app/ui/page.tsx'
import { CodeField, readCode } from '../code-field.tsx'
import { granted } from '../kind-words.ts'
import { PasswordField } from '../password-field.tsx'
import { useFocus } from '../use-focus.ts'
import { FormButtons } from './form-buttons.tsx'
import { Section } from './section.tsx'
import { useChange } from './use-change.ts'

const CHANGED = 'Your new password is set. Your other devices have been signed out.'

/** A new password; where the service wants to be sure who asks, with a code from the mailbox. */
export function ChangePassword({ email }: { email: string }) {
  const [needsCode, setNeedsCode] = useState(false)
  const { onSubmit, finish, failure, isBusy } = useChange()
  const form = useRef<HTMLFormElement>(null)
  const submit = onSubmit(async (fields) => {
    const password = String(fields.get('password') ?? '')
    const nonce = readCode(fields)
    if (!password || (needsCode && !nonce)) throw { status: 400, message: 'Please fill in all fields' }
    const { client } = await openSession()
    const answer = await client.updateUser({ password, ...(nonce && { nonce }) })
    if (answer.error?.code === 'reauthentication_needed') {
      granted(await client.reauthenticate())
      return setNeedsCode(true)
    }
    granted(answer)
    setNeedsCode(false)
    form.current?.reset()
    await finish(CHANGED)
  })
  return (
    <Section title="Password" blurb="A few words in a row are easy to remember and hard to guess.">
      <form ref={form} method="post" noValidate onSubmit={submit} className="max-w-md space-y-5">
        {failure && <Banner tone="error">{failure}</Banner>}
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <PasswordField
          label="New password"
          name="password"
          autoComplete="new-password"
          hint="At least 8 characters."
        />
        {needsCode && <MailedCode email={email} />}
        <FormButtons isBusy={isBusy} label="Change password" />
      </form>
    </Section>
  )
}

/** Takes the focus, so that screen readers hear why one more thing is asked for. */
const MailedCode = ({ email }: { email: string }) => (
  <CodeField
    ref={useFocus()}
    label="Code from your mailbox"
    hint={`To be sure that it is you, we have sent a code to ${email}.`}
  />
)
