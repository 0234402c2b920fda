import { Building2, KeyRound, Mail } from 'lucide'
import { type ReactNode, useSyncExternalStore } from 'react'
import { providerName, type SignInWays } from '#app/features/login/sign-in-methods.ts'
import { openSession } from '#app/session/session.ts'
import { Button } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Banner } from '#app/ui/page.tsx'
import { useHydrated } from '#app/ui/store.ts'
import { granted } from './kind-words.ts'
import { canUsePasskeys } from './passkey-support.ts'
import { useAction } from './use-action.ts'

/** A form that stands in place of the password's. */
export type OtherForm = 'code' | 'organisation'

interface OtherWaysProps {
  ways: SignInWays
  /** Whether a code by mail is offered. */
  byMail: boolean
  /** Whether "Remember me" is ticked. */
  remember: () => boolean
  onChoose: (form: OtherForm) => void
}

/** The ways in beside the password, as far as this site and this browser have them. */
export function OtherWays({ ways, byMail, remember, onChoose }: OtherWaysProps) {
  const isAwake = useHydrated()
  const action = useAction()
  const hasPasskeys = usePasskeySupport() && ways.passkeys
  const isNothingThere = !ways.providers.length && !ways.organisations && !hasPasskeys && !byMail
  const isIdle = isAwake && !action.isBusy
  const way = (icon: ReactNode, label: string, onClick: () => void) => (
    <li key={label}>
      <Button look="secondary" disabled={!isIdle} onClick={onClick} className="min-h-12 w-full">
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
      {action.failure && (
        <Banner tone="error" className="mt-4">
          {action.failure}
        </Banner>
      )}
      <ul className="mt-4 space-y-3">
        {ways.providers.map((name) =>
          way(null, `Continue with ${providerName(name)}`, () =>
            action.run(() => goToProvider(name, remember())),
          ),
        )}
        {ways.organisations &&
          way(<Icon icon={Building2} {...look} />, 'Use your organisation', () => onChoose('organisation'))}
        {hasPasskeys &&
          way(<Icon icon={KeyRound} {...look} />, 'Sign in with a passkey', () =>
            action.run(() => signInWithPasskey(remember())),
          )}
        {byMail && way(<Icon icon={Mail} {...look} />, 'E-mail me a code', () => onChoose('code'))}
      </ul>
    </section>
  )
}

const look = { className: 'size-5 text-muted' } as const

const never = () => () => undefined
/** Only browsers can tell. Nearly all have them: until it is known, the button's place is kept. */
const usePasskeySupport = () => useSyncExternalStore(never, canUsePasskeys, () => true)

async function goToProvider(name: string, remember: boolean): Promise<void> {
  const session = await openSession()
  session.remember(remember)
  const { client } = session
  const redirectTo = `${location.origin}/login${location.search}`
  granted(await client.signInWithOAuth({ provider: name as 'google', options: { redirectTo } }))
}

async function signInWithPasskey(remember: boolean): Promise<void> {
  const session = await openSession()
  session.remember(remember)
  const { client } = session
  granted(await client.signInWithPasskey())
}
