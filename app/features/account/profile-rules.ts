const NAME_LIMIT = 200
const ADDRESS_LIMIT = 2000

export interface ProfileFields {
  name: string
  /** Empty: initials are shown instead. */
  avatar: string
}

export const readProfile = (form: FormData): ProfileFields => ({
  name: String(form.get('name') ?? '').trim(),
  avatar: String(form.get('avatar') ?? '').trim(),
})

/** What is wrong with each field; no entry for a field that is right. */
export function findMistakes({ name, avatar }: ProfileFields): Partial<ProfileFields> {
  return {
    ...(!name && { name: 'Please enter a name.' }),
    ...(name.length > NAME_LIMIT && { name: `A name may have ${NAME_LIMIT} characters at most.` }),
    ...(avatar && !isPicture(avatar) && { avatar: 'Please enter an address that begins with https://' }),
  }
}

/** Pictures of the web are loaded over https only; those of this site have no origin. */
function isPicture(address: string): boolean {
  if (address.length > ADDRESS_LIMIT) return false
  if (/^\/storage\/v1\/object\/public\/\S+$/.test(address)) return true
  return /^https:\/\/[^\s/]+\.[^\s/]+/i.test(address) && URL.canParse(address)
}
