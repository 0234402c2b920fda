import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { Button, type ButtonLook } from '#app/ui/button.tsx'
import { Banner } from '#app/ui/page.tsx'
import { focusHeading } from './focus-heading.ts'
import { useChange } from './use-change.ts'

interface ConfirmButtonProps {
  label: string
  look?: ButtonLook
  /** What it is done to; screen readers hear it with the label. */
  of: string
  /** What happens then, as a question. */
  question: string
  work: () => Promise<unknown>
  /** What is said when it is done. */
  done: string
}

/** Asks in its own place before it does something that cannot be undone. */
export function ConfirmButton({ label, look = 'quiet', of, question, work, done }: ConfirmButtonProps) {
  const [isAsking, setAsking] = useState(false)
  const { change, failure, isBusy } = useChange()
  const first = useRef<HTMLButtonElement>(null)
  const keep = useRef<HTMLButtonElement>(null)
  const wasAsking = useRef(false)
  useEffect(() => {
    // The focus follows what replaced the button that had it.
    if (isAsking) keep.current?.focus()
    else if (wasAsking.current) first.current?.focus()
    wasAsking.current = isAsking
  }, [isAsking])

  if (!isAsking) {
    return (
      <Button ref={first} look={look} aria-label={`${label}: ${of}`} onClick={() => setAsking(true)}>
        {label}
      </Button>
    )
  }
  const confirm = async ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    const section = currentTarget.closest('section')
    if (await change(work, done)) focusHeading(section)
  }
  return (
    <fieldset aria-label={`${label}: ${of}`} className="min-w-0 basis-full space-y-3">
      {failure ? <Banner tone="error">{failure}</Banner> : <p>{question}</p>}
      <div className="flex flex-wrap gap-3">
        <Button look="secondary" ref={keep} disabled={isBusy} onClick={() => setAsking(false)}>
          Cancel
        </Button>
        <Button disabled={isBusy} onClick={confirm}>
          {isBusy ? 'Please wait...' : label}
        </Button>
      </div>
    </fieldset>
  )
}
