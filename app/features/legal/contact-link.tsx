import { useSettings } from '#app/session/site.ts'

/** The contact address, as a link that writes to it. */
export function ContactLink() {
  const { contactEmail } = useSettings()
  return <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
}
