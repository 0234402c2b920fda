import { useSettings } from '#app/session/use-settings.ts'

/** The contact address, as a link that writes to it. */
export function ContactLink() {
  const { contactEmail } = useSettings()
  return <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
}
