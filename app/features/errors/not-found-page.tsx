import { href, Link } from 'react-router'
import { BackButton, ButtonLink } from '#app/ui/button.tsx'
import { Page } from '#app/ui/page.tsx'
import { categoryLabels } from '#domain/category.ts'

// The order of the specification, section 2, "404 page".
const popular = [
  ...(['reading', 'webinar', 'podcast', 'community'] as const).map((category) => ({
    to: href('/resources/:category?', { category }),
    label: categoryLabels[category],
  })),
  { to: href('/about'), label: 'About us' },
]

/** What an address shows that leads nowhere. */
export function NotFoundPage() {
  return (
    <Page>
      <p
        className="font-serif text-[clamp(6rem,4rem+14vw,14rem)] leading-none font-semibold tracking-tighter text-brand"
        aria-hidden="true"
      >
        404
      </p>
      <h1 className="mt-4 text-title">This page wandered off</h1>
      <p className="mt-4 max-w-xl text-lg text-muted">
        The address may have a typing error, or what was here has moved. It happens to the best of us, usually
        on the way out of the door.
      </p>
      <div className="mt-8 flex flex-wrap gap-3">
        <ButtonLink to={href('/')}>Go Home</ButtonLink>
        <BackButton fallback={href('/')} />
        <ButtonLink to={href('/resources/:category?')} look="secondary">
          Browse Resources
        </ButtonLink>
      </div>
      <nav aria-labelledby="popular" className="mt-14 border-t border-line pt-6">
        <h2 id="popular" className="font-sans text-base font-semibold tracking-normal">
          Popular pages
        </h2>
        <ul className="mt-2 flex flex-wrap gap-x-7">
          {popular.map(({ to, label }) => (
            <li key={to}>
              <Link
                to={to}
                className="inline-flex min-h-11 items-center text-accent underline underline-offset-4"
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </Page>
  )
}
