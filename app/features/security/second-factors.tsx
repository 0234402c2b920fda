import { KeyRound, MessageSquare, Smartphone } from 'lucide'
import { type ReactNode, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { formAction, useActionForm } from '#app/features/forms/action-form.tsx'
import { dataOf } from '#app/features/forms/error-messages.ts'
import { ticked } from '#app/features/forms/fields.tsx'
import { canUsePasskeys } from '#app/features/login/sign-in-methods.ts'
import { saveFile } from '#app/features/profile/profile-page.tsx'
import type { SecondFactor } from '#app/session/current-user.tsx'
import { openSession } from '#app/session/session.ts'
import { siteName } from '#app/session/site.ts'
import { Button } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Banner } from '#app/ui/page.tsx'
import { toast } from '#app/ui/toast.tsx'
import { timeAgoWithWeeks } from '#domain/time-ago.ts'
import { AddApp, AddKey, AddPhone } from './add-factor.tsx'
import { ConfirmButton, CopyButton, focusHeading, Panel, Row, Rows, Section } from './section.tsx'

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
            detail={`${title}, added ${timeAgoWithWeeks(factor.addedAt)}`}
          >
            <ConfirmButton
              label="Remove"
              of={factor.name || title}
              question={
                shown.length > 1
                  ? 'Remove it? Your other second step stays.'
                  : 'Remove it? Your password alone then opens your account, and your recovery codes go too.'
              }
              intent="remove-factor"
              values={{ factorId: factor.id, name: factor.name || title }}
            />
          </Row>
        )
      })}
    </Rows>
  )
}

/** A name that is not taken yet: "Phone", "Phone 2", … */
export function freeName(wanted: string, taken: readonly string[]): string {
  let name = wanted
  for (let number = 2; taken.includes(name); number++) name = `${wanted} ${number}`
  return name
}

const HOW_MANY = 10
const FEW = 3
const MADE = 'Your new recovery codes are there. Keep them now: they are shown this once.'

/** The way in when a phone is lost. @param left how many have not been used; null when there are none yet */
export function RecoveryCodes({ left, email }: { left: number | null; email: string }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const form = useActionForm('make-recovery-codes', setCodes)
  return (
    <Section
      title="Recovery codes"
      blurb="Each opens your account once, in place of the second step. Keep them where your phone is not."
    >
      {form.failure && <Banner tone="error">{form.failure}</Banner>}
      {codes && <ShownCodes codes={codes} email={email} onClose={() => setCodes(null)} />}
      {!codes && left === null && (
        <>
          <Banner tone="note">Without recovery codes, a lost phone may mean a lost account.</Banner>
          <Button disabled={form.isBusy} onClick={() => form.submit()}>
            {form.isBusy ? 'Please wait...' : 'Make recovery codes'}
          </Button>
        </>
      )}
      {!codes && left !== null && (
        <>
          <p>
            {left} of {HOW_MANY} codes left.{left <= FEW && ' It is time for new ones.'}
          </p>
          <ConfirmButton
            label="Make new codes"
            look="secondary"
            of="recovery codes"
            question="Make new codes? The old ones stop working."
            intent="make-recovery-codes"
            values={{ again: 'yes' }}
            onDone={setCodes}
          />
        </>
      )}
    </Section>
  )
}

interface ShownCodesProps {
  codes: readonly string[]
  email: string
  onClose: () => void
}

/** Nobody can show them again: whoever closes this without keeping them makes new ones. */
function ShownCodes({ codes, email, onClose }: ShownCodesProps) {
  const readable = codes.map((code) => code.replaceAll(/(.{4})(?=.)/g, '$1-'))
  const text = [`${siteName}: recovery codes for ${email}`, 'Each works once.', '', ...readable, ''].join(
    '\n',
  )
  return (
    <div className="recovery-codes">
      <Panel title="Your recovery codes">
        <p className="text-muted">
          For {email}. Keep them now: they are not shown again. A password manager or a drawer is a good
          place.
        </p>
        <ol aria-label="Recovery codes" className="grid gap-x-8 gap-y-1.5 font-mono text-base sm:grid-cols-2">
          {readable.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
        <div className="flex flex-wrap gap-3 print:hidden">
          <Button onClick={onClose}>I have kept them</Button>
          <Button
            look="secondary"
            onClick={() => saveFile('walking-together-recovery-codes.txt', text, 'text/plain')}
          >
            Download
          </Button>
          <Button look="secondary" onClick={() => print()}>
            Print
          </Button>
          <CopyButton text={text} what="Codes" />
        </div>
      </Panel>
    </div>
  )
}

export const secondFactorActions = {
  'remove-factor': formAction(z.object({ factorId: z.string(), name: z.string() }), async (input) => {
    const { client } = await openSession()
    dataOf(await client.mfa.unenroll({ factorId: input.factorId }))
    // The token still tells of what is gone: a fresh one does not.
    await client.refreshSession()
    toast(`${input.name} is removed.`)
  }),
  'make-recovery-codes': formAction(z.object({ again: ticked }), async ({ again }) => {
    const { recoveryCodes } = (await openSession()).client.mfa
    const { codes } = dataOf(await recoveryCodes[again ? 'regenerate' : 'generate']())
    toast(MADE)
    return codes
  }),
}
