import { openSession } from '#app/session/session.ts'
import { Banner } from '#app/ui/page.tsx'
import { EmailField } from './email-field.tsx'
import { granted } from './kind-words.ts'
import { readLogin } from './login-rules.ts'
import { SubmitButton } from './submit-button.tsx'
import { TypedFields } from './typed-fields.tsx'
import { useAction } from './use-action.ts'
import { useFocus } from './use-focus.ts'

/** Single sign-on: the part of the address after the @ says whose identity provider is asked. */
export function SignInByOrganisation({ remember }: { remember: boolean }) {
  const action = useAction()
  const submit = action.onSubmit(async (fields) => {
    const domain = domainOf(readLogin(fields).email)
    const session = await openSession()
    session.remember(remember)
    const { client } = session
    const redirectTo = `${location.origin}/login${location.search}`
    granted(await client.signInWithSSO({ domain, options: { redirectTo } }))
  })
  return (
    <form method="post" noValidate onSubmit={submit} className="mt-6 space-y-5">
      {action.failure && <Banner tone="error">{action.failure}</Banner>}
      <TypedFields name="login" />
      <EmailField
        ref={useFocus()}
        label="Work or school e-mail"
        hint="You sign in on your organisation’s own page, and come back here."
      />
      <SubmitButton isBusy={action.isBusy}>Continue</SubmitButton>
    </form>
  )
}

/** Errors: what is missing, in the words of the specification (section 5) where it has some. */
function domainOf(email: string): string {
  if (!email) throw { status: 400, message: 'Please fill in all fields' }
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  if (!domain.includes('.')) throw { status: 400, message: 'Please enter your whole e-mail address.' }
  return domain
}
