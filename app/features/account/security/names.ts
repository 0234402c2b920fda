/** The name that a member gave to something of theirs. Errors: there is none. */
export function readName(fields: FormData): string {
  const name = String(fields.get('name') ?? '').trim()
  if (!name) throw { status: 400, message: 'Please enter a name.' }
  return name
}

/** A name that is not taken yet: "Phone", "Phone 2", … */
export function freeName(wanted: string, taken: readonly string[]): string {
  let name = wanted
  for (let number = 2; taken.includes(name); number++) name = `${wanted} ${number}`
  return name
}
