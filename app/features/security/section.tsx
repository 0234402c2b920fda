import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useActionForm } from '#app/features/forms/action-form.tsx'
import { Button, type ButtonLook } from '#app/ui/button.tsx'
import { Banner } from '#app/ui/page.tsx'
import { toast } from '#app/ui/toast.tsx'
import './security.css'

interface SectionProps {
  title: string
  /** What it is for, in a sentence or two. */
  blurb: ReactNode
  children: ReactNode
}

/** One thing that protects the account: what it is on the left, what there is of it on the right. */
export function Section({ title, blurb, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="security-section">
      <div>
        <h2 id={id} tabIndex={-1} className="text-xl focus:outline-none">
          {title}
        </h2>
        <p className="mt-2 text-muted">{blurb}</p>
      </div>
      <div className="min-w-0 space-y-5">{children}</div>
    </section>
  )
}

/** Where the focus goes when what had it is gone: to the heading of its section. */
export const focusHeading = (inside: Element | null | undefined): void =>
  inside?.closest('section')?.querySelector('h2')?.focus()

/** What there is, one under the other. */
export const Rows = ({ label, children }: { label: string; children: ReactNode }) => (
  <ul aria-label={label} className="security-rows">
    {children}
  </ul>
)

interface RowProps {
  icon: ReactNode
  title: ReactNode
  detail?: ReactNode
  /** What can be done with it. */
  children?: ReactNode
}

export const Row = ({ icon, title, detail, children }: RowProps) => (
  <li className="security-row">
    {icon}
    <div className="min-w-0 grow basis-44">
      <p className="font-semibold wrap-anywhere">{title}</p>
      {detail && <p className="text-sm text-muted wrap-anywhere">{detail}</p>}
    </div>
    {children}
  </li>
)

/** Where something is being added: a form with a frame around it. */
export const Panel = ({ title, children }: { title: string; children: ReactNode }) => {
  const id = useId()
  return (
    <section aria-labelledby={id} className="rounded-2xl border border-line bg-surface p-5 sm:p-6">
      <h3 id={id} className="text-lg">
        {title}
      </h3>
      <div className="mt-4 space-y-5">{children}</div>
    </section>
  )
}

interface ConfirmButtonProps<Done> {
  label: string
  look?: ButtonLook
  /** What it is done to; screen readers hear it with the label. */
  of: string
  /** What happens then, as a question. */
  question: string
  /** The action, and what it has to know. */
  intent: string
  values?: Readonly<Record<string, string>>
  onDone?: (done: Done) => void
}

/** Asks in its own place before it does something that cannot be undone. */
export function ConfirmButton<Done>(props: ConfirmButtonProps<Done>) {
  const { label, look = 'quiet', of, question, intent, values, onDone } = props
  const [isAsking, setAsking] = useState(false)
  const form = useActionForm<Done>(intent, (done) => {
    setAsking(false)
    onDone?.(done)
  })
  const { ask, isConfirmed, first, keep } = useConfirmFocus(isAsking)

  if (!isAsking) {
    return (
      <Button ref={first} look={look} aria-label={`${label}: ${of}`} onClick={() => setAsking(true)}>
        {label}
      </Button>
    )
  }
  const cancel = () => {
    isConfirmed.current = false
    setAsking(false)
  }
  const confirm = () => {
    isConfirmed.current = true
    form.submit(values)
  }
  return (
    <fieldset ref={ask} aria-label={`${label}: ${of}`} className="min-w-0 basis-full space-y-3">
      {form.failure ? <Banner tone="error">{form.failure}</Banner> : <p>{question}</p>}
      <div className="flex flex-wrap gap-3">
        <Button look="secondary" ref={keep} disabled={form.isBusy} onClick={cancel}>
          Cancel
        </Button>
        <Button disabled={form.isBusy} onClick={confirm}>
          {form.isBusy ? 'Please wait...' : label}
        </Button>
      </div>
    </fieldset>
  )
}

/** The focus follows what replaced the button that had it: the question, the button again, or nothing but the heading. */
function useConfirmFocus(isAsking: boolean) {
  const ask = useRef<HTMLFieldSetElement>(null)
  const first = useRef<HTMLButtonElement>(null)
  const keep = useRef<HTMLButtonElement>(null)
  const isConfirmed = useRef(false)
  useEffect(() => {
    if (!isAsking) return
    keep.current?.focus()
    const section = ask.current?.closest('section')
    return () => (isConfirmed.current ? focusHeading(section) : first.current?.focus())
  }, [isAsking])
  return { ask, isConfirmed, first, keep }
}

interface CopyButtonProps {
  text: string
  /** What it is, with a capital: "Key". */
  what: string
  className?: string
}

/** Puts a text onto the clipboard, where there is one. */
export function CopyButton({ text, what, className }: CopyButtonProps) {
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => toast(`${what} copied.`),
      () => toast('Your browser does not let us copy. Please select the text.'),
    )
  // Browsers have a clipboard on https and localhost only.
  if (!navigator.clipboard) return null
  return (
    <Button look="quiet" className={className} onClick={copy}>
      Copy
    </Button>
  )
}
