import { useEffect, useId, useRef, useState } from 'react'
import type { SecondFactor } from '#app/session/current-user.ts'
import { Button } from '#app/ui/button.tsx'
import { Banner } from '#app/ui/page.tsx'
import { CodeField, mustReadCode } from '../code-field.tsx'
import { type Action, useAction } from '../use-action.ts'
import { factorLabel, inOrder } from './factor-names.ts'
import { giveCode, giveKey, textCode } from './give-factor.ts'

interface AnswerFactorProps {
  factors: readonly SecondFactor[]
  /** What the button says that sends the answer. */
  submitLabel: string
  /** What follows at once; what it throws is told like a wrong code. */
  onGiven?: () => Promise<void>
}

/** Asks for one of an account's second factors; which one, its owner may choose. */
export function AnswerFactor({ factors, submitLabel, onGiven }: AnswerFactorProps) {
  const sorted = inOrder(factors)
  const [chosen, setChosen] = useState(sorted[0])
  if (!chosen) return null
  const others = sorted.filter(({ id }) => id !== chosen.id)
  return (
    <>
      <Question key={chosen.id} factor={chosen} submitLabel={submitLabel} onGiven={onGiven} />
      {others.length > 0 && (
        <div className="mt-6 border-t border-line pt-4">
          <p className="text-muted">Another way:</p>
          <ul>
            {others.map((factor) => (
              <li key={factor.id}>
                <Button look="quiet" className="-ms-5" onClick={() => setChosen(factor)}>
                  {factorLabel(factor)}
                </Button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}

interface QuestionProps extends Omit<AnswerFactorProps, 'factors'> {
  factor: SecondFactor
}

function Question({ factor, submitLabel, onGiven }: QuestionProps) {
  const action = useAction()
  const [challengeId, setChallengeId] = useState<string>()
  const text = () => action.run(async () => setChallengeId(await textCode(factor)))
  const give = action.onSubmit(async (fields) => {
    await giveCode({ factor, code: mustReadCode(fields), challengeId })
    await onGiven?.()
  })
  const useKey = () => action.run(() => giveKey(factor).then(onGiven))

  if (factor.type === 'webauthn') {
    return <OneButton action={action} intro={intros.webauthn} label="Use the key" onClick={useKey} />
  }
  if (factor.type === 'phone' && !challengeId) {
    const intro = 'We can text a code to your phone.'
    return <OneButton action={action} intro={intro} label="Text me a code" onClick={text} />
  }
  return (
    <form method="post" noValidate onSubmit={give} className="space-y-5">
      {action.failure && <Banner tone="error">{action.failure}</Banner>}
      <FocusedCodeField factor={factor} failed={Boolean(action.failure)} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" disabled={action.isBusy}>
          {action.isBusy ? 'Please wait...' : submitLabel}
        </Button>
        {factor.type === 'phone' && (
          <Button look="quiet" disabled={action.isBusy} onClick={text}>
            Send another code
          </Button>
        )}
      </div>
    </form>
  )
}

const intros: Readonly<Record<SecondFactor['type'], string>> = {
  totp: 'Enter the six digits that your authenticator app shows now.',
  phone: 'We have texted you a code. It is good for five minutes.',
  webauthn: 'Plug in your security key, or have your device ready.',
  recovery_code: 'Enter one of the codes that you kept. It is used up by this.',
}

interface OneButtonProps {
  action: Action
  intro: string
  label: string
  onClick: () => void
}

function OneButton({ action, intro, label, onClick }: OneButtonProps) {
  const id = useId()
  return (
    <div className="space-y-5">
      {action.failure && <Banner tone="error">{action.failure}</Banner>}
      <p id={id}>{intro}</p>
      <Button autoFocus aria-describedby={id} disabled={action.isBusy} onClick={onClick}>
        {action.isBusy ? 'Please wait...' : label}
      </Button>
    </div>
  )
}

/** Takes the focus when it appears, and when what was typed did not work. */
function FocusedCodeField({ factor, failed }: { factor: SecondFactor; failed: boolean }) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.focus()
    if (failed) field.current?.select()
  }, [failed])
  const isWord = factor.type === 'recovery_code'
  return (
    <CodeField
      ref={field}
      label={isWord ? 'Recovery code' : 'Code'}
      hint={intros[factor.type]}
      aria-invalid={failed}
      {...(isWord && { inputMode: 'text', autoComplete: 'off', className: 'max-w-80' })}
    />
  )
}
