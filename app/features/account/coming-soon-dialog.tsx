import { type RefObject, useId } from 'react'
import { useSettings } from '#app/session/site.ts'
import { Button } from '#app/ui/button.tsx'
import '#app/ui/dialog.css'

export const earlyAccessSubject = encodeURIComponent('Early access to Walking Together')

/** What opens until accounts are open to everyone (specification, section 2). Escape closes it as well. */
export function ComingSoonDialog({ dialog }: { dialog: RefObject<HTMLDialogElement | null> }) {
  const title = useId()
  const { contactEmail } = useSettings()
  return (
    <dialog ref={dialog} aria-labelledby={title} className="dialog">
      <h2 id={title} className="text-2xl">
        Coming Soon!
      </h2>
      <p className="mt-3 text-muted">
        This is not open to everyone yet. For early access, or help with your account, write to{' '}
        <a
          href={`mailto:${contactEmail}?subject=${earlyAccessSubject}`}
          className="text-accent underline underline-offset-4"
        >
          {contactEmail}
        </a>
        .
      </p>
      <Button autoFocus className="mt-6" onClick={() => dialog.current?.close()}>
        Got it
      </Button>
    </dialog>
  )
}
