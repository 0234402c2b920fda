import { Building2, KeyRound, Mail } from 'lucide'
import type { ReactNode } from 'react'
import { href } from 'react-router'
import * as z from 'zod/mini'
import { formAction, useActionForm } from '#app/features/forms/action-form.tsx'
import { dataOf } from '#app/features/forms/error-messages.ts'
import { ticked } from '#app/features/forms/fields.tsx'
import { openSession } from '#app/session/session.ts'
import { Button } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Banner } from '#app/ui/page.tsx'
import { createStore, useHydrated, useStore } from '#app/ui/store.ts'
import { canUsePasskeys, providerName, type SignInMethods } from './sign-in-methods.ts'

/** A form that stands in place of the password's. */
export type OtherForm = 'code' | 'organisation'

interface OtherMethodsProps {
  methods: SignInMethods
  /** Whether a code by mail is offered. */
  byMail: boolean
  /** Whether "Remember me" is ticked. */
  remember: () => boolean
  onChoose: (form: OtherForm) => void
}

/** The ways in beside the password, as far as this site and this browser have them. */
export function OtherMethods({ methods, byMail, remember, onChoose }: OtherMethodsProps) {
  const isHydrated = useHydrated()
  const form = useActionForm('provider')
  const hasPasskeys = useStore(passkeySupport) && methods.passkeys
  const isNothingThere = !methods.providers.length && !methods.organisations && !hasPasskeys && !byMail
  const submit = (values: Record<string, string>) =>
    form.submit({ ...values, remember: remember() ? 'on' : '' })
  const method = (icon: ReactNode, label: string, onClick: () => void) => (
    <li key={label}>
      <Button
        look="secondary"
        disabled={!isHydrated || form.isBusy}
        onClick={onClick}
        className="min-h-12 w-full"
      >
        {icon}
        {label}
      </Button>
    </li>
  )
  if (isNothingThere) return null
  return (
    <section aria-label="Other ways to sign in" className="mt-8">
      <p className="flex items-center gap-4 text-muted before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
        or
      </p>
      {form.failure && (
        <Banner tone="error" className="mt-4">
          {form.failure}
        </Banner>
      )}
      <ul className="mt-4 space-y-3">
        {methods.providers.map((provider) =>
          method(null, `Continue with ${providerName(provider)}`, () => submit({ provider })),
        )}
        {methods.organisations &&
          method(<Icon icon={Building2} {...look} />, 'Use your organisation', () =>
            onChoose('organisation'),
          )}
        {hasPasskeys &&
          method(<Icon icon={KeyRound} {...look} />, 'Sign in with a passkey', () =>
            submit({ intent: 'passkey' }),
          )}
        {byMail && method(<Icon icon={Mail} {...look} />, 'E-mail me a code', () => onChoose('code'))}
      </ul>
    </section>
  )
}

const look = { className: 'size-5 text-muted' } as const

/** Only browsers can tell. Nearly all have them: until it is known, the button's place is kept. */
const passkeySupport = createStore(true, canUsePasskeys)

/** What the buttons do that lead to no form. */
export const otherMethodActions = {
  provider: formAction(z.object({ provider: z.string(), remember: ticked }), async (input) => {
    const { client, remember } = await openSession()
    remember(input.remember)
    const redirectTo = `${location.origin}${href('/login')}${location.search}`
    const provider = input.provider as 'google'
    dataOf(await client.signInWithOAuth({ provider, options: { redirectTo } }))
  }),
  passkey: formAction(z.object({ remember: ticked }), async (input) => {
    const { client, remember, access } = await openSession()
    remember(input.remember)
    dataOf(await client.signInWithPasskey())
    await access()
  }),
}
