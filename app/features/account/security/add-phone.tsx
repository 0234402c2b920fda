import { useState } from 'react'
import type { SecondFactor } from '#app/session/current-user.ts'
import { openSession } from '#app/session/session.ts'
import { Field } from '#app/ui/field.tsx'
import { Banner } from '#app/ui/page.tsx'
import { CodeField, mustReadCode } from '../code-field.tsx'
import { granted } from '../kind-words.ts'
import { useAction } from '../use-action.ts'
import { useFocus } from '../use-focus.ts'
import { FormButtons } from './form-buttons.tsx'
import { FACTOR_ADDED } from './messages.ts'
import { Panel } from './section.tsx'
import { useChange } from './use-change.ts'

interface Texted {
  factorId: SecondFactor['id']
  challengeId: string
  phone: string
}

/** Adds a phone that codes are texted to: the number, then the first code as proof. */
export function AddPhone({ onClose }: { onClose: () => void }) {
  const [texted, setTexted] = useState<Texted | null>(null)
  return (
    <Panel title="Add a phone">
      {texted ? (
        <ProvePhone texted={texted} onClose={onClose} />
      ) : (
        <AskNumber onTexted={setTexted} onClose={onClose} />
      )}
    </Panel>
  )
}

function AskNumber({ onTexted, onClose }: { onTexted: (texted: Texted) => void; onClose: () => void }) {
  const action = useAction()
  const submit = action.onSubmit(async (fields) => onTexted(await text(readNumber(fields))))
  return (
    <form method="post" noValidate onSubmit={submit} className="space-y-5">
      {action.failure && <Banner tone="error">{action.failure}</Banner>}
      <Field
        ref={useFocus()}
        label="Phone number"
        name="phone"
        type="tel"
        autoComplete="tel"
        placeholder="+1 555 000 1234"
        maxLength={32}
        hint="With the country’s code. We text to it only when you sign in."
      />
      <FormButtons isBusy={action.isBusy} label="Text me a code" onCancel={onClose} />
    </form>
  )
}

/** Digits with the country's code. Errors: there is no such number. */
function readNumber(fields: FormData): string {
  const digits = String(fields.get('phone') ?? '').replaceAll(/^\+|^00|[\s().\-/]/g, '')
  if (!/^[1-9]\d{6,14}$/.test(digits)) {
    throw { status: 400, message: 'Please enter the number with the country’s code, like +1 555 000 1234.' }
  }
  return `+${digits}`
}

async function text(phone: string): Promise<Texted> {
  const { mfa } = (await openSession()).client
  const { id: factorId } = granted(await mfa.enroll({ factorType: 'phone', phone, friendlyName: phone }))
  const { id: challengeId } = granted(await mfa.challenge({ factorId, channel: 'sms' }))
  return { factorId, challengeId, phone }
}

function ProvePhone({ texted, onClose }: { texted: Texted; onClose: () => void }) {
  const { factorId, challengeId, phone } = texted
  const { onSubmitChange, failure, isBusy } = useChange()
  const submit = onSubmitChange(async (fields) => {
    const { mfa } = (await openSession()).client
    granted(await mfa.verify({ factorId, challengeId, code: mustReadCode(fields) }))
    onClose()
  }, FACTOR_ADDED)
  return (
    <form method="post" noValidate onSubmit={submit} className="space-y-5">
      {failure && <Banner tone="error">{failure}</Banner>}
      <CodeField
        ref={useFocus()}
        label="Code"
        hint={`We have texted a code to ${phone}. It is good for five minutes.`}
        aria-invalid={Boolean(failure)}
      />
      <FormButtons isBusy={isBusy} label="Turn it on" onCancel={onClose} />
    </form>
  )
}
