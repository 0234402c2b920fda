import type { ReactNode } from 'react'
import { classes } from './classes.ts'

/** The measure that header, pages and footer share. */
export const containerClass = 'mx-auto w-full max-w-6xl px-5 sm:px-8'

/** The body of a page: the shared measure and the air above and below. */
export function Page({ className, children }: { className?: string; children: ReactNode }) {
  return <div className={classes(containerClass, 'pt-8 pb-20 md:pt-14 md:pb-28', className)}>{children}</div>
}

/** The one heading of a page, what it is about in a sentence, and what stands beside it on wide screens. */
export function PageHeading({
  title,
  blurb,
  children,
}: {
  title: ReactNode
  blurb?: ReactNode
  children?: ReactNode
}) {
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-10 gap-y-5">
      <div className="max-w-2xl">
        <h1 className="text-title">{title}</h1>
        {blurb && <p className="mt-3 text-lg text-muted">{blurb}</p>}
      </div>
      {children}
    </header>
  )
}

/** A page that has only one thing to say: a heading, some words, and what can be done now. */
export function Notice({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <div className="max-w-2xl border-s-4 border-brand py-1 ps-6 sm:ps-8">
      <h1 className="text-title">{title}</h1>
      <div className="mt-4 space-y-5 text-lg text-muted">{children}</div>
    </div>
  )
}
