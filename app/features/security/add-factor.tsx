import { useState } from 'react'
import * as z from 'zod/mini'
import { ActionForm, FormButtons, formAction, useActionForm } from '#app/features/forms/action-form.tsx'
import { dataOf } from '#app/features/forms/error-messages.ts'
import { CodeField, codeSchema, limitOf, shortText } from '#app/features/forms/fields.tsx'
import { openSession } from '#app/session/session.ts'
import { siteName } from '#app/session/site.ts'
import { Field } from '#app/ui/forms/field.tsx'
import { toast } from '#app/ui/toast.tsx'
import { CopyButton, Panel } from './section.tsx'

/** The service ends sessions that have shown only a password, because one of them may be somebody else's. */
const FACTOR_ADDED =
  'Your second step is on. Other devices that were signed in with the password alone have been signed out.'

/** The name that a member gives to something of theirs. */
export const nameSchema = shortText('Please enter a name.', 80, 'A name may have 80 characters at most.')

interface NamedProps {
  /** A name that is not taken yet. */
  suggestion: string
  onClose: () => void
}

/** What an authenticator app has to be told; shown once. */
interface Enrolled {
  factorId: string
  qrCode: string
  secret: string
  uri: string
}

/** Adds an authenticator app: a name, then the picture or the key, then the first code as proof. */
export function AddApp({ suggestion, onClose }: NamedProps) {
  const [enrolled, setEnrolled] = useState<Enrolled | null>(null)
  const form = useActionForm('enroll-app', setEnrolled)
  if (enrolled) return <VerifyApp enrolled={enrolled} onClose={onClose} />
  return (
    <Panel title="Add an authenticator app">
      <ActionForm form={form}>
        <Field
          autoFocus
          label="A name for it"
          name="name"
          defaultValue={suggestion}
          autoComplete="off"
          {...limitOf(nameSchema)}
          hint="So that you know it again, for example “My phone”."
          aria-invalid={'name' in form.errors}
        />
        <FormButtons isBusy={form.isBusy} label="Continue" onCancel={onClose} />
      </ActionForm>
    </Panel>
  )
}

function VerifyApp({ enrolled, onClose }: { enrolled: Enrolled; onClose: () => void }) {
  const { factorId, qrCode, secret, uri } = enrolled
  const form = useActionForm('verify-factor', onClose)
  const cancel = async () => {
    onClose()
    // Without its first code it is of no use, and is cleared away in time anyway.
    await (await openSession()).client.mfa.unenroll({ factorId })
  }
  return (
    <Panel title="Scan this with your app">
      <div className="grid items-center gap-5 sm:grid-cols-[11rem_1fr]">
        <img
          src={qrCode}
          alt="QR code for your authenticator app"
          width={176}
          height={176}
          className="rounded-xl border border-line bg-white p-1"
        />
        <div className="min-w-0">
          <p>
            Use any authenticator app. If it cannot scan, type this key into it, or{' '}
            <a href={uri} className="text-accent underline underline-offset-4">
              open an app on this device
            </a>
            .
          </p>
          <p className="mt-3 font-mono text-sm wrap-anywhere">
            <code>{secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
          </p>
          <CopyButton text={secret} what="Key" className="-ms-5" />
        </div>
      </div>
      <ActionForm form={form}>
        <input type="hidden" name="factorId" value={factorId} />
        <CodeField
          autoFocus
          label="Code"
          hint="The six digits that your app shows now."
          aria-invalid={Boolean(form.failure)}
        />
        <FormButtons isBusy={form.isBusy} label="Turn it on" onCancel={cancel} />
      </ActionForm>
    </Panel>
  )
}

interface Texted {
  factorId: string
  challengeId: string
  phone: string
}

/** Adds a phone that codes are texted to: the number, then the first code as proof. */
export function AddPhone({ onClose }: { onClose: () => void }) {
  const [texted, setTexted] = useState<Texted | null>(null)
  const form = useActionForm('enroll-phone', setTexted)
  return (
    <Panel title="Add a phone">
      {texted ? (
        <VerifyPhone texted={texted} onClose={onClose} />
      ) : (
        <ActionForm form={form}>
          <Field
            autoFocus
            label="Phone number"
            name="phone"
            type="tel"
            autoComplete="tel"
            placeholder="+1 555 000 1234"
            maxLength={32}
            hint="With the country’s code. We text to it only when you sign in."
            aria-invalid={'phone' in form.errors}
          />
          <FormButtons isBusy={form.isBusy} label="Text me a code" onCancel={onClose} />
        </ActionForm>
      )}
    </Panel>
  )
}

function VerifyPhone({ texted, onClose }: { texted: Texted; onClose: () => void }) {
  const { factorId, challengeId, phone } = texted
  const form = useActionForm('verify-factor', onClose)
  return (
    <ActionForm form={form}>
      <input type="hidden" name="factorId" value={factorId} />
      <input type="hidden" name="challengeId" value={challengeId} />
      <CodeField
        autoFocus
        label="Code"
        hint={`We have texted a code to ${phone}. It is good for five minutes.`}
        aria-invalid={Boolean(form.failure)}
      />
      <FormButtons isBusy={form.isBusy} label="Turn it on" onCancel={onClose} />
    </ActionForm>
  )
}

/** Adds a security key, or what a device has in its place; the browser leads through it. */
export function AddKey({ suggestion, onClose }: NamedProps) {
  const form = useActionForm('add-key', onClose)
  return (
    <Panel title="Add a security key">
      <ActionForm form={form}>
        <Field
          autoFocus
          label="A name for it"
          name="name"
          defaultValue={suggestion}
          autoComplete="off"
          {...limitOf(nameSchema)}
          hint="Then your browser asks for the key."
          aria-invalid={'name' in form.errors}
        />
        <FormButtons isBusy={form.isBusy} label="Add the key" onCancel={onClose} />
      </ActionForm>
    </Panel>
  )
}

/** Digits with the country's code. */
const phoneSchema = z.string().check(
  z.overwrite((phone) => phone.replaceAll(/^\+|^00|[\s().\-/]/g, '')),
  z.regex(/^[1-9]\d{6,14}$/, 'Please enter the number with the country’s code, like +1 555 000 1234.'),
)

export const addFactorActions = {
  'enroll-app': formAction(z.object({ name: nameSchema }), async ({ name }) => {
    const { mfa } = (await openSession()).client
    const wanted = { factorType: 'totp', issuer: siteName, friendlyName: name } as const
    const { id, totp } = dataOf(await mfa.enroll(wanted))
    return { factorId: id, qrCode: totp.qr_code, secret: totp.secret, uri: totp.uri }
  }),
  'enroll-phone': formAction(z.object({ phone: phoneSchema }), async (input) => {
    const phone = `+${input.phone}`
    const { mfa } = (await openSession()).client
    const { id } = dataOf(await mfa.enroll({ factorType: 'phone', phone, friendlyName: phone }))
    const challenge = dataOf(await mfa.challenge({ factorId: id, channel: 'sms' }))
    return { factorId: id, challengeId: challenge.id, phone }
  }),
  /** The first code proves that it works; from then on it is asked for. */
  'verify-factor': formAction(
    z.object({ factorId: z.string(), challengeId: z.string(), code: codeSchema }),
    async ({ factorId, challengeId, code }) => {
      const { mfa } = (await openSession()).client
      if (challengeId) dataOf(await mfa.verify({ factorId, challengeId, code }))
      else dataOf(await mfa.challengeAndVerify({ factorId, code }))
      toast(FACTOR_ADDED)
    },
  ),
  'add-key': formAction(z.object({ name: nameSchema }), async ({ name }) => {
    const { mfa } = (await openSession()).client
    dataOf(await mfa.webauthn.register({ friendlyName: name }))
    toast(FACTOR_ADDED)
  }),
}
