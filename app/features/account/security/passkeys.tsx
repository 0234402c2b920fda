import type { PasskeyListItem } from '@supabase/auth-js'
import { KeyRound } from 'lucide'
import { useState } from 'react'
import { openSession } from '#app/session/session.ts'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Banner } from '#app/ui/page.tsx'
import { granted } from '../kind-words.ts'
import { canUsePasskeys } from '../passkey-support.ts'
import { useFocus } from '../use-focus.ts'
import { ago } from './ago.ts'
import { ConfirmButton } from './confirm-button.tsx'
import { FormButtons } from './form-buttons.tsx'
import { readName } from './names.ts'
import { Row, Rows, Section } from './section.tsx'
import { useChange } from './use-change.ts'

/** Keys on a device that sign in without a password. */
export function Passkeys({ passkeys }: { passkeys: readonly PasskeyListItem[] }) {
  const { change, failure, isBusy } = useChange()
  const add = async () => granted(await (await openSession()).client.registerPasskey())
  return (
    <Section
      title="Passkeys"
      blurb="Sign in with your finger, your face or your device’s PIN in place of the password."
    >
      {failure && <Banner tone="error">{failure}</Banner>}
      {passkeys.length > 0 && (
        <Rows label="Your passkeys">
          {passkeys.map((passkey) => (
            <Passkey key={passkey.id} passkey={passkey} />
          ))}
        </Rows>
      )}
      {canUsePasskeys() ? (
        <Button look="secondary" disabled={isBusy} onClick={() => change(add, 'Your passkey is added.')}>
          {isBusy ? 'Please wait...' : 'Add a passkey'}
        </Button>
      ) : (
        <p className="text-muted">This browser cannot make passkeys here.</p>
      )}
    </Section>
  )
}

function Passkey({ passkey: { id, friendly_name, created_at, last_used_at } }: { passkey: PasskeyListItem }) {
  const [isRenaming, setRenaming] = useState(false)
  const name = friendly_name || 'Passkey'
  const now = Date.now()
  const used = last_used_at ? `last used ${ago(last_used_at, now)}` : 'not used yet'
  return (
    <Row icon={<Icon icon={KeyRound} />} title={name} detail={`Added ${ago(created_at, now)}, ${used}`}>
      {isRenaming ? (
        <Rename id={id} name={name} onClose={() => setRenaming(false)} />
      ) : (
        <Button look="quiet" aria-label={`Rename: ${name}`} onClick={() => setRenaming(true)}>
          Rename
        </Button>
      )}
      <ConfirmButton
        label="Remove"
        of={name}
        question="Remove it? It then no longer opens your account. Delete it on your device as well."
        work={async () => granted(await (await openSession()).client.passkey.delete({ passkeyId: id }))}
        done={`${name} is removed.`}
      />
    </Row>
  )
}

function Rename({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const { onSubmitChange, failure, isBusy } = useChange()
  const submit = onSubmitChange(async (fields) => {
    const { passkey } = (await openSession()).client
    granted(await passkey.update({ passkeyId: id, friendlyName: readName(fields) }))
    onClose()
  }, 'The new name is saved.')
  return (
    <form method="post" noValidate onSubmit={submit} className="basis-full space-y-4">
      {failure && <Banner tone="error">{failure}</Banner>}
      <Field
        ref={useFocus()}
        id={`name-${id}`}
        label="Name"
        name="name"
        defaultValue={name}
        autoComplete="off"
        maxLength={120}
      />
      <FormButtons isBusy={isBusy} label="Save" onCancel={onClose} />
    </form>
  )
}
