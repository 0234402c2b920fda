/** Somebody on the team, as content/site.json tells it. */
export interface Founder {
  role: string
  /** Empty until the owner of the site fills it in. */
  name: string
  about: string
}

/** The two co-founders; those without a name are introduced by what they do. */
export function Team({ founders }: { founders: readonly Founder[] }) {
  return (
    <ul className="grid gap-8 sm:grid-cols-2">
      {founders.map(({ role, name, about }) => (
        <li key={role} className="border-t-2 border-brand pt-4">
          <h3 className="text-xl">{name || role}</h3>
          {name && <p className="text-base text-muted">{role}</p>}
          <p className="mt-2 text-base text-muted">{about}</p>
        </li>
      ))}
    </ul>
  )
}
