import { KeyRound, MessageSquare, Smartphone } from 'lucide'
import { type ReactNode, useRef, useState } from 'react'
import type { SecondFactor } from '#app/session/current-user.ts'
import { openSession } from '#app/session/session.ts'
import { Button } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { granted } from '../kind-words.ts'
import { canUsePasskeys } from '../passkey-support.ts'
import { AddApp } from './add-app.tsx'
import { AddKey } from './add-key.tsx'
import { AddPhone } from './add-phone.tsx'
import { ago } from './ago.ts'
import { ConfirmButton } from './confirm-button.tsx'
import { focusHeading } from './focus-heading.ts'
import { freeName } from './names.ts'
import { Row, Rows, Section } from './section.tsx'

interface SecondFactorsProps {
  factors: readonly SecondFactor[]
  /** Whether text messages can be sent. */
  texts: boolean
}

type Kind = Exclude<SecondFactor['type'], 'recovery_code'>

const kinds: Readonly<Record<Kind, { title: string; icon: ReactNode }>> = {
  totp: { title: 'Authenticator app', icon: <Icon icon={Smartphone} /> },
  phone: { title: 'Text message', icon: <Icon icon={MessageSquare} /> },
  webauthn: { title: 'Security key', icon: <Icon icon={KeyRound} /> },
}

/** What is asked for after the password. */
export function SecondFactors({ factors, texts }: SecondFactorsProps) {
  const [adding, setAdding] = useState<Kind | null>(null)
  const place = useRef<HTMLDivElement>(null)
  const close = () => {
    setAdding(null)
    focusHeading(place.current)
  }
  const names = factors.map(({ name }) => name)
  const offered: Kind[] = [
    'totp',
    ...(texts ? (['phone'] as const) : []),
    ...(canUsePasskeys() ? (['webauthn'] as const) : []),
  ]
  return (
    <Section
      title="Second step"
      blurb="Beside your password we ask for something that only you have. Whoever learns your password still stays out."
    >
      <Factors factors={factors} />
      <div ref={place}>
        {adding === 'totp' && <AddApp suggestion={freeName('My phone', names)} onClose={close} />}
        {adding === 'phone' && <AddPhone onClose={close} />}
        {adding === 'webauthn' && <AddKey suggestion={freeName('My key', names)} onClose={close} />}
        {!adding && (
          <div className="flex flex-wrap gap-3">
            {offered.map((kind) => (
              <Button key={kind} look="secondary" onClick={() => setAdding(kind)}>
                {addLabels[kind]}
              </Button>
            ))}
          </div>
        )}
      </div>
    </Section>
  )
}

const addLabels: Readonly<Record<Kind, string>> = {
  totp: 'Add an authenticator app',
  phone: 'Add a phone',
  webauthn: 'Add a security key',
}

function Factors({ factors }: { factors: readonly SecondFactor[] }) {
  const shown = factors.filter(
    (factor): factor is SecondFactor & { type: Kind } => factor.type !== 'recovery_code',
  )
  if (shown.length === 0) return <p>Your account is protected by its password alone.</p>
  return (
    <Rows label="Your second steps">
      {shown.map((factor) => {
        const { title, icon } = kinds[factor.type]
        return (
          <Row
            key={factor.id}
            icon={icon}
            title={factor.name || title}
            detail={`${title}, added ${ago(factor.addedAt, Date.now())}`}
          >
            <ConfirmButton
              label="Remove"
              of={factor.name || title}
              question={
                shown.length > 1
                  ? 'Remove it? Your other second step stays.'
                  : 'Remove it? Your password alone then opens your account, and your recovery codes go too.'
              }
              work={() => remove(factor)}
              done={`${factor.name || title} is removed.`}
            />
          </Row>
        )
      })}
    </Rows>
  )
}

/** The token still tells of what is gone: a fresh one does not. */
async function remove({ id: factorId }: SecondFactor): Promise<void> {
  const { client } = await openSession()
  granted(await client.mfa.unenroll({ factorId }))
  await client.refreshSession()
}
