import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { SecondFactor } from '#app/session/second-factor.ts'
import { Banner } from '#app/ui/banner.tsx'
import { Button } from '#app/ui/button.tsx'
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
    return (
      <Steps action={action} intro="Plug in your security key, or have your device ready.">
        <Button disabled={action.isBusy} onClick={useKey} autoFocus>
          {action.isBusy ? 'Please wait...' : 'Use the key'}
        </Button>
      </Steps>
    )
  }
  if (factor.type === 'phone' && !challengeId) {
    return (
      <Steps action={action} intro="We can text a code to your phone.">
        <Button disabled={action.isBusy} onClick={text} autoFocus>
          {action.isBusy ? 'Please wait...' : 'Text me a code'}
        </Button>
      </Steps>
    )
  }
  return (
    <Steps action={action} intro={intros[factor.type]}>
      <form method="post" noValidate onSubmit={give} className="space-y-5">
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
    </Steps>
  )
}

const intros: Readonly<Record<SecondFactor['type'], string>> = {
  totp: 'Enter the six digits that your authenticator app shows now.',
  phone: 'We have texted you a code. It is good for five minutes.',
  webauthn: '',
  recovery_code: 'Enter one of the codes that you kept. It is used up by this.',
}

const Steps = ({ action, intro, children }: { action: Action; intro: string; children: ReactNode }) => (
  <div className="space-y-5">
    {action.failure && <Banner tone="error">{action.failure}</Banner>}
    <p>{intro}</p>
    {children}
  </div>
)

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
      aria-invalid={failed}
      {...(isWord && { inputMode: 'text', autoComplete: 'off', className: 'max-w-80' })}
    />
  )
}
