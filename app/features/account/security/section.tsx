import { type ReactNode, useId } from 'react'
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
