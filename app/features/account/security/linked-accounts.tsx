import type { UserIdentity } from '@supabase/auth-js'
import { Link2, Mail } from 'lucide'
import { providerName } from '#app/features/login/sign-in-methods.ts'
import { openSession } from '#app/session/session.ts'
import { Button } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Banner } from '#app/ui/page.tsx'
import { granted } from '../kind-words.ts'
import { useAction } from '../use-action.ts'
import { ago } from './ago.ts'
import { ConfirmButton } from './confirm-button.tsx'
import { Row, Rows, Section } from './section.tsx'

interface LinkedAccountsProps {
  identities: readonly UserIdentity[]
  providers: readonly string[]
}

/** Accounts elsewhere that open this one. */
export function LinkedAccounts({ identities, providers }: LinkedAccountsProps) {
  const { run, failure, isBusy } = useAction()
  const linked = new Set(identities.map(({ provider }) => provider))
  return (
    <Section title="Linked accounts" blurb="Each of these opens your account. Unlink what you no longer use.">
      {failure && <Banner tone="error">{failure}</Banner>}
      <Rows label="Your linked accounts">
        {identities.map((identity) => (
          <Identity key={identity.identity_id} identity={identity} />
        ))}
      </Rows>
      <div className="flex flex-wrap gap-3">
        {providers
          .filter((name) => !linked.has(name))
          .map((name) => (
            <Button key={name} look="secondary" disabled={isBusy} onClick={() => run(() => link(name))}>
              Link {providerName(name)}
            </Button>
          ))}
      </div>
    </Section>
  )
}

function Identity({ identity }: { identity: UserIdentity }) {
  const { provider, identity_data: data, last_sign_in_at: used } = identity
  const name = providerName(provider.replace(/^sso:.*/, 'your organisation'))
  const address = typeof data?.email === 'string' ? data.email : ''
  const lastUse = used ? `last used ${ago(used, Date.now())}` : ''
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
          work={async () => granted(await (await openSession()).client.unlinkIdentity(identity))}
          done={`${name} is unlinked.`}
        />
      )}
    </Row>
  )
}

/** Leaves for the provider; the way back leads to this page. */
async function link(provider: string): Promise<void> {
  const { client } = await openSession()
  const redirectTo = `${location.origin}/profile/security`
  granted(await client.linkIdentity({ provider: provider as 'google', options: { redirectTo } }))
}
