import { openSession } from '#app/session/session.ts'
import { Field } from '#app/ui/field.tsx'
import { Banner } from '#app/ui/page.tsx'
import { granted } from '../kind-words.ts'
import { useFocus } from '../use-focus.ts'
import { FormButtons } from './form-buttons.tsx'
import { FACTOR_ADDED } from './messages.ts'
import { readName } from './names.ts'
import { Panel } from './section.tsx'
import { useChange } from './use-change.ts'

/** Adds a security key, or what a device has in its place; the browser leads through it. */
export function AddKey({ suggestion, onClose }: { suggestion: string; onClose: () => void }) {
  const { onSubmitChange, failure, isBusy } = useChange()
  const submit = onSubmitChange(async (fields) => {
    const { mfa } = (await openSession()).client
    granted(await mfa.webauthn.register({ friendlyName: readName(fields) }))
    onClose()
  }, FACTOR_ADDED)
  return (
    <Panel title="Add a security key">
      <form method="post" noValidate onSubmit={submit} className="space-y-5">
        {failure && <Banner tone="error">{failure}</Banner>}
        <Field
          ref={useFocus()}
          label="A name for it"
          name="name"
          defaultValue={suggestion}
          autoComplete="off"
          maxLength={80}
          hint="Then your browser asks for the key."
        />
        <FormButtons isBusy={isBusy} label="Add the key" onCancel={onClose} />
      </form>
    </Panel>
  )
}
