import { type SubmitEvent, useState } from 'react'
import type { Member } from '#app/session/current-user.ts'
import { openSession } from '#app/session/session.ts'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Banner } from '#app/ui/page.tsx'
import { toast } from '#app/ui/toast.tsx'
import { findMistakes, type ProfileFields, readProfile } from './profile-rules.ts'
import { forgetTyped, TypedFields } from './typed-fields.tsx'

/** Name and picture. The e-mail address belongs to the account and is not changed here. */
export function EditProfile({ member }: { member: Member }) {
  const [mistakes, setMistakes] = useState<Partial<ProfileFields>>({})
  const [failure, setFailure] = useState('')
  const [isBusy, setBusy] = useState(false)

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = readProfile(new FormData(event.currentTarget))
    const found = findMistakes(fields)
    setMistakes(found)
    setFailure('')
    if (Object.keys(found).length > 0) return
    setBusy(true)
    const failed = await saveProfile(member.id, fields)
    if (!failed) forgetTyped(typedAs(member))
    setFailure(failed)
    setBusy(false)
  }
  return (
    <form method="post" noValidate onSubmit={submit} className="space-y-4">
      <TypedFields name={typedAs(member)} />
      <h2 className="text-lg">Name and picture</h2>
      {failure && <Banner tone="error">{failure}</Banner>}
      <Field
        label="Name"
        name="name"
        defaultValue={member.name}
        autoComplete="name"
        aria-invalid={Boolean(mistakes.name)}
        hint={mistakes.name}
      />
      <Field
        label="Picture address"
        name="avatar"
        type="url"
        defaultValue={member.avatar ?? ''}
        autoComplete="photo"
        placeholder="https://"
        aria-invalid={Boolean(mistakes.avatar)}
        hint={mistakes.avatar ?? 'Leave it empty to show your initials.'}
      />
      <Button type="submit" look="secondary" disabled={isBusy}>
        {isBusy ? 'Saving...' : 'Save changes'}
      </Button>
    </form>
  )
}

const typedAs = ({ id }: Member) => `profile:${id}`

/** Writes the member's own row. Returns what went wrong, or nothing. */
async function saveProfile(id: string, { name, avatar }: ProfileFields): Promise<string> {
  const { library, changeMember } = await openSession()
  const change = { name, avatar: avatar || null }
  const { error } = await library.from('users').update(change).eq('id', id)
  if (error) return 'Your changes could not be saved. Please try again.'
  changeMember(change)
  toast('Your changes are saved.')
  return ''
}
