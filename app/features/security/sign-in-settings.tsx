import type { PasskeyListItem, UserIdentity } from '@supabase/auth-js'
import { KeyRound, Link2, Mail } from 'lucide'
import { useRef, useState } from 'react'
import { href } from 'react-router'
import * as z from 'zod/mini'
import { ActionForm, FormButtons, formAction, useActionForm } from '#app/features/forms/action-form.tsx'
import { dataOf } from '#app/features/forms/error-messages.ts'
import {
  CodeField,
  codeSchema,
  EmailField,
  emailSchema,
  limitOf,
  PasswordField,
  passwordSchema,
  shortText,
} from '#app/features/forms/fields.tsx'
import { canUsePasskeys, providerName } from '#app/features/login/sign-in-methods.ts'
import { openSession } from '#app/session/session.ts'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/forms/field.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Banner } from '#app/ui/page.tsx'
import { toast } from '#app/ui/toast.tsx'
import { timeAgoWithWeeks } from '#domain/time-ago.ts'
import { ConfirmButton, Row, Rows, Section } from './section.tsx'

const NEEDS_CODE = 'needs code'

/** A new password; where the service wants to be sure who asks, with a code from the mailbox. */
export function ChangePassword({ email }: { email: string }) {
  const [needsCode, setNeedsCode] = useState(false)
  const element = useRef<HTMLFormElement>(null)
  const intent = needsCode ? 'change-password-by-code' : 'change-password'
  const form = useActionForm<string | undefined>(intent, (done) => {
    setNeedsCode(done === NEEDS_CODE)
    if (done !== NEEDS_CODE) element.current?.reset()
  })
  const { errors } = form
  return (
    <Section title="Password" blurb="A few words in a row are easy to remember and hard to guess.">
      <ActionForm ref={element} form={form} className="max-w-md space-y-5">
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <PasswordField
          label="New password"
          autoComplete="new-password"
          hint="At least 8 characters."
          aria-invalid={'password' in errors}
        />
        {needsCode && (
          // Takes the focus, so that screen readers hear why one more thing is asked for.
          <CodeField
            autoFocus
            label="Code from your mailbox"
            hint={`To be sure that it is you, we have sent a code to ${email}.`}
            aria-invalid={'code' in errors}
          />
        )}
        <FormButtons isBusy={form.isBusy} label="Change password" />
      </ActionForm>
    </Section>
  )
}

interface ChangeEmailProps {
  email: string
  /** What still waits for its confirmation. */
  newEmail: string
}

/** Another address; both mailboxes are asked, so that nobody can take the account away in silence. */
export function ChangeEmail({ email, newEmail }: ChangeEmailProps) {
  const form = useActionForm('change-email')
  return (
    <Section title="E-mail" blurb={<>You sign in with {email || 'another way'} now.</>}>
      {newEmail && (
        <Banner tone="note">
          {email
            ? `Two mails are on their way, to ${email} and to ${newEmail}. Open the link in both: then the new address counts.`
            : `A mail is on its way to ${newEmail}. Open the link in it: then the address counts.`}
        </Banner>
      )}
      <ActionForm form={form} className="max-w-md space-y-5">
        <input type="hidden" name="current" value={email} />
        <EmailField label="New e-mail" autoComplete="email" aria-invalid={'email' in form.errors} />
        <FormButtons isBusy={form.isBusy} label="Change e-mail" />
      </ActionForm>
    </Section>
  )
}

/** Keys on a device that sign in without a password. */
export function Passkeys({ passkeys }: { passkeys: readonly PasskeyListItem[] }) {
  const form = useActionForm('add-passkey')
  return (
    <Section
      title="Passkeys"
      blurb="Sign in with your finger, your face or your device’s PIN in place of the password."
    >
      {form.failure && <Banner tone="error">{form.failure}</Banner>}
      {passkeys.length > 0 && (
        <Rows label="Your passkeys">
          {passkeys.map((passkey) => (
            <Passkey key={passkey.id} passkey={passkey} />
          ))}
        </Rows>
      )}
      {canUsePasskeys() ? (
        <Button look="secondary" disabled={form.isBusy} onClick={() => form.submit()}>
          {form.isBusy ? 'Please wait...' : 'Add a passkey'}
        </Button>
      ) : (
        <p className="text-muted">This browser cannot make passkeys here.</p>
      )}
    </Section>
  )
}

function Passkey({ passkey: { id, friendly_name, created_at, last_used_at } }: { passkey: PasskeyListItem }) {
  const [isRenaming, setRenaming] = useState(false)
  const name = friendly_name || 'Passkey'
  const used = last_used_at ? `last used ${timeAgoWithWeeks(last_used_at)}` : 'not used yet'
  return (
    <Row
      icon={<Icon icon={KeyRound} />}
      title={name}
      detail={`Added ${timeAgoWithWeeks(created_at)}, ${used}`}
    >
      {isRenaming ? (
        <RenamePasskey id={id} name={name} onClose={() => setRenaming(false)} />
      ) : (
        <Button look="quiet" aria-label={`Rename: ${name}`} onClick={() => setRenaming(true)}>
          Rename
        </Button>
      )}
      <ConfirmButton
        label="Remove"
        of={name}
        question="Remove it? It then no longer opens your account. Delete it on your device as well."
        intent="remove-passkey"
        values={{ id, name }}
      />
    </Row>
  )
}

const passkeyName = shortText('Please enter a name.', 120, 'A name may have 120 characters at most.')

function RenamePasskey({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const form = useActionForm('rename-passkey', onClose)
  return (
    <ActionForm form={form} className="basis-full space-y-4">
      <input type="hidden" name="id" value={id} />
      <Field
        autoFocus
        id={`name-${id}`}
        label="Name"
        name="name"
        defaultValue={name}
        autoComplete="off"
        {...limitOf(passkeyName)}
        aria-invalid={'name' in form.errors}
      />
      <FormButtons isBusy={form.isBusy} label="Save" onCancel={onClose} />
    </ActionForm>
  )
}

interface LinkedAccountsProps {
  identities: readonly UserIdentity[]
  providers: readonly string[]
}

/** Accounts elsewhere that open this one. */
export function LinkedAccounts({ identities, providers }: LinkedAccountsProps) {
  const form = useActionForm('link')
  const linked = new Set(identities.map(({ provider }) => provider))
  return (
    <Section title="Linked accounts" blurb="Each of these opens your account. Unlink what you no longer use.">
      {form.failure && <Banner tone="error">{form.failure}</Banner>}
      <Rows label="Your linked accounts">
        {identities.map((identity) => (
          <Identity key={identity.identity_id} identity={identity} />
        ))}
      </Rows>
      <div className="flex flex-wrap gap-3">
        {providers
          .filter((provider) => !linked.has(provider))
          .map((provider) => (
            <Button
              key={provider}
              look="secondary"
              disabled={form.isBusy}
              onClick={() => form.submit({ provider })}
            >
              Link {providerName(provider)}
            </Button>
          ))}
      </div>
    </Section>
  )
}

function Identity({ identity }: { identity: UserIdentity }) {
  const { identity_id: id, provider, identity_data: data, last_sign_in_at: used } = identity
  const name = providerName(provider.replace(/^sso:.*/, 'your organisation'))
  const address = typeof data?.email === 'string' ? data.email : ''
  const lastUse = used ? `last used ${timeAgoWithWeeks(used)}` : ''
  const isOwn = provider === 'email' || provider === 'phone'
  return (
    <Row
      icon={isOwn ? <Icon icon={Mail} /> : <Icon icon={Link2} />}
      title={name}
      detail={[address, lastUse].filter(Boolean).join(', ')}
    >
      {!isOwn && (
        <ConfirmButton
          label="Unlink"
          of={name}
          question={`Unlink ${name}? You can then no longer sign in with it.`}
          intent="unlink"
          values={{ id, name }}
        />
      )}
    </Row>
  )
}

const changeEmailSchema = z.object({ current: z.string(), email: emailSchema }).check(
  z.refine(({ current, email }) => email.toLowerCase() !== current.toLowerCase(), {
    path: ['email'],
    error: 'This is your address already.',
  }),
)

/** What these sections change. */
export const signInSettingActions = {
  'change-password': formAction(z.object({ password: passwordSchema }), ({ password }) =>
    changePassword({ password }),
  ),
  'change-password-by-code': formAction(
    z.object({ password: passwordSchema, code: codeSchema }),
    ({ password, code }) => changePassword({ password, nonce: code }),
  ),
  'change-email': formAction(changeEmailSchema, async ({ email }) => {
    const { client } = await openSession()
    dataOf(await client.updateUser({ email }, { emailRedirectTo: securityAddress() }))
    toast('Please look into your mailbox.')
  }),
  'add-passkey': formAction(z.object({}), async () => {
    dataOf(await (await openSession()).client.registerPasskey())
    toast('Your passkey is added.')
  }),
  'rename-passkey': formAction(z.object({ id: z.string(), name: passkeyName }), async ({ id, name }) => {
    const { passkey } = (await openSession()).client
    dataOf(await passkey.update({ passkeyId: id, friendlyName: name }))
    toast('The new name is saved.')
  }),
  'remove-passkey': formAction(z.object({ id: z.string(), name: z.string() }), async ({ id, name }) => {
    dataOf(await (await openSession()).client.passkey.delete({ passkeyId: id }))
    toast(`${name} is removed.`)
  }),
  /** Leaves for the provider; the way back leads to this page. */
  link: formAction(z.object({ provider: z.string() }), async (input) => {
    const { client } = await openSession()
    const provider = input.provider as 'google'
    dataOf(await client.linkIdentity({ provider, options: { redirectTo: securityAddress() } }))
  }),
  unlink: formAction(z.object({ id: z.string(), name: z.string() }), async ({ id, name }) => {
    const { client } = await openSession()
    // The client asks for the whole identity, and uses its id.
    dataOf(await client.unlinkIdentity({ identity_id: id } as UserIdentity))
    toast(`${name} is unlinked.`)
  }),
}

const securityAddress = () => `${location.origin}${href('/profile/security')}`

/** Gives `NEEDS_CODE` when the service has mailed a code that must come along. */
async function changePassword(wanted: { password: string; nonce?: string }): Promise<string | undefined> {
  const { client } = await openSession()
  const answer = await client.updateUser(wanted)
  if (answer.error?.code === 'reauthentication_needed') {
    dataOf(await client.reauthenticate())
    return NEEDS_CODE
  }
  dataOf(answer)
  toast('Your new password is set. Your other devices have been signed out.')
}
