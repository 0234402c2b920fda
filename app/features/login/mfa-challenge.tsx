import { useEffect, useId, useRef, useState } from 'react'
import * as z from 'zod/mini'
import {
  ActionForm,
  type ActionFormState,
  formAction,
  useActionForm,
} from '#app/features/forms/action-form.tsx'
import { dataOf } from '#app/features/forms/error-messages.ts'
import { CodeField, codeSchema } from '#app/features/forms/fields.tsx'
import { factorsOf } from '#app/session/client/current-user-sync.ts'
import type { SecondFactor } from '#app/session/current-user.tsx'
import { openSession } from '#app/session/session.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog, usePromiseDialog } from '#app/ui/forms/dialog.tsx'
import { Banner, Page } from '#app/ui/page.tsx'

/** After the password: asks for what else the account has to show. Nobody is signed in before. */
export function MfaPage({ factors }: { factors: readonly SecondFactor[] }) {
  const leave = async () => (await openSession()).signOut()
  return (
    <Page>
      <div className="max-w-md">
        <h1 className="text-title">One more step</h1>
        <p className="mt-3 mb-6 text-lg text-muted">Your account is protected by more than a password.</p>
        <MfaChallenge factors={factors} submitLabel="Continue" />
        <Button look="quiet" className="-ms-5 mt-6" onClick={leave}>
          Sign in with another account
        </Button>
      </div>
    </Page>
  )
}

interface MfaChallengeProps {
  factors: readonly SecondFactor[]
  /** What the button says that sends the answer. */
  submitLabel: string
  /** What follows a right answer. */
  onVerified?: () => void
}

/** Asks for one of an account's second factors; which one, its owner may choose. The page's route has `mfaActions`. */
export function MfaChallenge({ factors, submitLabel, onVerified }: MfaChallengeProps) {
  const sorted = inOrder(factors)
  const [chosen, setChosen] = useState(sorted[0])
  if (!chosen) return null
  const others = sorted.filter(({ id }) => id !== chosen.id)
  return (
    <>
      <Challenge key={chosen.id} factor={chosen} submitLabel={submitLabel} onVerified={onVerified} />
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

interface ChallengeProps extends Omit<MfaChallengeProps, 'factors'> {
  factor: SecondFactor
}

function Challenge({ factor, submitLabel, onVerified }: ChallengeProps) {
  const [challengeId, setChallengeId] = useState('')
  const form = useActionForm<string | undefined>('mfa-code', (texted) =>
    texted ? setChallengeId(texted) : onVerified?.(),
  )
  const text = () => form.submit({ intent: 'mfa-text', factorId: factor.id })
  const useKey = () => form.submit({ intent: 'mfa-key', factorId: factor.id })

  if (factor.type === 'webauthn') {
    return <OneButton form={form} intro={intros.webauthn} label="Use the key" onClick={useKey} />
  }
  if (factor.type === 'phone' && !challengeId) {
    const intro = 'We can text a code to your phone.'
    return <OneButton form={form} intro={intro} label="Text me a code" onClick={text} />
  }
  return (
    <ActionForm form={form}>
      <input type="hidden" name="factorId" value={factor.id} />
      <input type="hidden" name="type" value={factor.type} />
      <input type="hidden" name="challengeId" value={challengeId} />
      <FocusedCodeField factor={factor} failed={Boolean(form.failure)} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" disabled={form.isBusy}>
          {form.isBusy ? 'Please wait...' : submitLabel}
        </Button>
        {factor.type === 'phone' && (
          <Button look="quiet" disabled={form.isBusy} onClick={text}>
            Send another code
          </Button>
        )}
      </div>
    </ActionForm>
  )
}

const intros: Readonly<Record<SecondFactor['type'], string>> = {
  totp: 'Enter the six digits that your authenticator app shows now.',
  phone: 'We have texted you a code. It is good for five minutes.',
  webauthn: 'Plug in your security key, or have your device ready.',
  recovery_code: 'Enter one of the codes that you kept. It is used up by this.',
}

interface OneButtonProps {
  form: ActionFormState
  intro: string
  label: string
  onClick: () => void
}

function OneButton({ form, intro, label, onClick }: OneButtonProps) {
  const id = useId()
  return (
    <div className="space-y-5">
      {form.failure && <Banner tone="error">{form.failure}</Banner>}
      <p id={id}>{intro}</p>
      <Button autoFocus aria-describedby={id} disabled={form.isBusy} onClick={onClick}>
        {form.isBusy ? 'Please wait...' : label}
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

/** The order in which factors are asked for: recovery codes are the last way. */
const order: readonly SecondFactor['type'][] = ['totp', 'webauthn', 'phone', 'recovery_code']

export const inOrder = (factors: readonly SecondFactor[]): SecondFactor[] =>
  factors.toSorted((a, b) => order.indexOf(a.type) - order.indexOf(b.type))

const kinds: Readonly<Record<SecondFactor['type'], string>> = {
  totp: 'Authenticator app',
  webauthn: 'Security key',
  phone: 'Text message',
  recovery_code: 'Recovery code',
}

/** What a factor is called where several are to choose from. */
export function factorLabel({ type, name, phone }: SecondFactor): string {
  if (type === 'recovery_code') return 'Use a recovery code'
  const which = type === 'phone' && phone ? `number ending in ${phone.slice(-2)}` : name
  return which ? `${kinds[type]}: ${which}` : kinds[type]
}

/** What an answer to the challenge does: the session has then shown all that its account asks for. */
export const mfaActions = {
  /** Texts a code to the factor's phone; gives the challenge that it answers. */
  'mfa-text': formAction(z.object({ factorId: z.string() }), async ({ factorId }) => {
    const { client } = await openSession()
    return dataOf(await client.mfa.challenge({ factorId, channel: 'sms' })).id
  }),
  'mfa-code': formAction(
    z.object({ factorId: z.string(), type: z.string(), challengeId: z.string(), code: codeSchema }),
    async ({ factorId, type, challengeId, code }) => {
      const { mfa } = (await openSession()).client
      if (type === 'recovery_code') dataOf(await mfa.recoveryCodes.verify({ code }))
      else if (challengeId) dataOf(await mfa.verify({ factorId, challengeId, code }))
      else dataOf(await mfa.challengeAndVerify({ factorId, code }))
    },
  ),
  /** By a security key, or what this device has in its place. */
  'mfa-key': formAction(z.object({ factorId: z.string() }), async ({ factorId }) => {
    const { mfa } = (await openSession()).client
    dataOf(await mfa.webauthn.authenticate({ factorId }))
  }),
}

/** Asks for the second factor; false when it was not given. Set while a page is there that can ask. */
let askForFactor: (() => Promise<boolean>) | undefined

/** Does the work, and once more after the second factor when the service wants that first. Errors: those of the work. */
export async function withStepUp<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!isInsufficient(error) || !(await askForFactor?.())) throw error
    return work()
  }
}

const isInsufficient = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'insufficient_aal'

/**
 * On pages where the ways into an account are changed: asks for the second factor when the service wants it for a
 * change, over the form that it belongs to, so that nothing typed is lost.
 */
export function StepUpDialog() {
  const { ask, question: factors, answer } = usePromiseDialog<readonly SecondFactor[], boolean>(false)
  const title = useId()
  useEffect(() => {
    askForFactor = async () => {
      const { client } = await openSession()
      // The session at hand may know of other factors than the account has by now.
      const { data } = await client.getUser()
      const known = data.user ? factorsOf(data.user) : []
      return known.length > 0 && ask(known)
    }
    return () => {
      askForFactor = undefined
    }
  }, [ask])
  if (!factors) return null
  return (
    <Dialog labelledBy={title} onClosed={() => answer(false)}>
      {(dismiss) => (
        <>
          <h2 id={title} className="text-2xl">
            One more step
          </h2>
          <p className="mt-3 mb-5 text-muted">
            Before the way into your account changes, please confirm that it is you.
          </p>
          <MfaChallenge factors={factors} submitLabel="Continue" onVerified={() => answer(true)} />
          <Button look="secondary" className="mt-5" onClick={dismiss}>
            Cancel
          </Button>
        </>
      )}
    </Dialog>
  )
}
