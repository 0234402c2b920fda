import * as z from 'zod/mini'
import { ActionForm, formAction, useActionForm } from '#app/features/forms/action-form.tsx'
import { PlainError } from '#app/features/forms/error-messages.ts'
import { forgetTyped, RememberTyped, shortText } from '#app/features/forms/fields.tsx'
import type { Member } from '#app/session/current-user.tsx'
import { openSession } from '#app/session/session.ts'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/forms/field.tsx'
import { toast } from '#app/ui/toast.tsx'

const NAME_LIMIT = 200
const ADDRESS_LIMIT = 2000

/** Pictures of the web are loaded over https only; those of this site have no origin. */
function isPicture(address: string): boolean {
  if (address.length > ADDRESS_LIMIT) return false
  if (/^\/storage\/v1\/object\/public\/\S+$/.test(address)) return true
  return /^https:\/\/[^\s/]+\.[^\s/]+/i.test(address) && URL.canParse(address)
}

const isPictureOrNothing = (address: string) => !address || isPicture(address)

export const profileSchema = z.object({
  id: z.string(),
  name: shortText('Please enter a name.', NAME_LIMIT, `A name may have ${NAME_LIMIT} characters at most.`),
  /** Empty: initials are shown instead. */
  avatar: z
    .string()
    .check(z.trim(), z.refine(isPictureOrNothing, 'Please enter an address that begins with https://')),
})

const typedAs = (id: string) => `profile:${id}`

/** Name and picture. The e-mail address belongs to the account and is not changed here. */
export function EditProfile({ member }: { member: Member }) {
  const form = useActionForm('edit-profile')
  const { name, avatar } = form.errors
  return (
    <ActionForm form={form} saysBeside className="space-y-4">
      <h2 className="text-lg">Name and picture</h2>
      <RememberTyped name={typedAs(member.id)} />
      <input type="hidden" name="id" value={member.id} />
      <Field label="Name" name="name" defaultValue={member.name} autoComplete="name" error={name} />
      <Field
        label="Picture address"
        name="avatar"
        type="url"
        defaultValue={member.avatar ?? ''}
        autoComplete="photo"
        placeholder="https://"
        error={avatar}
        hint={avatar ? undefined : 'Leave it empty to show your initials.'}
      />
      <Button type="submit" look="secondary" disabled={form.isBusy}>
        {form.isBusy ? 'Saving...' : 'Save changes'}
      </Button>
    </ActionForm>
  )
}

/** Writes the member's own row. */
export const editProfileActions = {
  'edit-profile': formAction(profileSchema, async ({ id, name, avatar }) => {
    const { library, changeMember } = await openSession()
    const change = { name, avatar: avatar || null }
    const { error } = await library.from('users').update(change).eq('id', id)
    if (error) throw new PlainError('Your changes could not be saved. Please try again.')
    forgetTyped(typedAs(id))
    changeMember(change)
    toast('Your changes are saved.')
  }),
}
