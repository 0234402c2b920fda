import { useState } from 'react'
import { openSession } from '#app/session/session.ts'
import { siteName } from '#app/session/site.ts'
import { Field } from '#app/ui/field.tsx'
import { Banner } from '#app/ui/page.tsx'
import { CodeField, mustReadCode } from '../code-field.tsx'
import { granted } from '../kind-words.ts'
import { useAction } from '../use-action.ts'
import { useFocus } from '../use-focus.ts'
import { CopyButton } from './copy-button.tsx'
import { FormButtons } from './form-buttons.tsx'
import { FACTOR_ADDED } from './messages.ts'
import { readName } from './names.ts'
import { Panel } from './section.tsx'
import { useChange } from './use-change.ts'

/** What an authenticator app has to be told; shown once. */
interface Enrolled {
  id: string
  qrCode: string
  secret: string
  uri: string
}

/** Adds an authenticator app: a name, then the picture or the key, then the first code as proof. */
export function AddApp({ suggestion, onClose }: { suggestion: string; onClose: () => void }) {
  const [enrolled, setEnrolled] = useState<Enrolled | null>(null)
  if (!enrolled) return <NameApp suggestion={suggestion} onNamed={setEnrolled} onClose={onClose} />
  return <ProveApp enrolled={enrolled} onClose={onClose} />
}

interface NameAppProps {
  suggestion: string
  onNamed: (enrolled: Enrolled) => void
  onClose: () => void
}

function NameApp({ suggestion, onNamed, onClose }: NameAppProps) {
  const action = useAction()
  const submit = action.onSubmit(async (fields) => onNamed(await enrol(readName(fields))))
  return (
    <Panel title="Add an authenticator app">
      <form method="post" noValidate onSubmit={submit} className="space-y-5">
        {action.failure && <Banner tone="error">{action.failure}</Banner>}
        <Field
          ref={useFocus()}
          label="A name for it"
          name="name"
          defaultValue={suggestion}
          autoComplete="off"
          maxLength={80}
          hint="So that you know it again, for example “My phone”."
        />
        <FormButtons isBusy={action.isBusy} label="Continue" onCancel={onClose} />
      </form>
    </Panel>
  )
}

async function enrol(friendlyName: string): Promise<Enrolled> {
  const { client } = await openSession()
  const { id, totp } = granted(
    await client.mfa.enroll({ factorType: 'totp', issuer: siteName, friendlyName }),
  )
  return { id, qrCode: totp.qr_code, secret: totp.secret, uri: totp.uri }
}

function ProveApp({ enrolled, onClose }: { enrolled: Enrolled; onClose: () => void }) {
  const { onSubmitChange, failure, isBusy } = useChange()
  const field = useFocus()
  const prove = onSubmitChange(async (fields) => {
    const { client } = await openSession()
    granted(await client.mfa.challengeAndVerify({ factorId: enrolled.id, code: mustReadCode(fields) }))
    onClose()
  }, FACTOR_ADDED)
  const cancel = async () => {
    onClose()
    // Without its first code it is of no use, and is cleared away in time anyway.
    await (await openSession()).client.mfa.unenroll({ factorId: enrolled.id })
  }
  return (
    <Panel title="Scan this with your app">
      <div className="grid items-center gap-5 sm:grid-cols-[11rem_1fr]">
        <img
          src={enrolled.qrCode}
          alt="QR code for your authenticator app"
          width={176}
          height={176}
          className="rounded-xl border border-line bg-white p-1"
        />
        <div className="min-w-0">
          <p>
            Use any authenticator app. If it cannot scan, type this key into it, or{' '}
            <a href={enrolled.uri} className="text-accent underline underline-offset-4">
              open an app on this device
            </a>
            .
          </p>
          <p className="mt-3 font-mono text-sm wrap-anywhere">
            <code>{enrolled.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
          </p>
          <CopyButton text={enrolled.secret} what="Key" className="-ms-5" />
        </div>
      </div>
      <form method="post" noValidate onSubmit={prove} className="space-y-5">
        {failure && <Banner tone="error">{failure}</Banner>}
        <CodeField
          ref={field}
          label="Code"
          hint="The six digits that your app shows now."
          aria-invalid={Boolean(failure)}
        />
        <FormButtons isBusy={isBusy} label="Turn it on" onCancel={cancel} />
      </form>
    </Panel>
  )
}
