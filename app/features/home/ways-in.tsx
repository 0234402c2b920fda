import { Link } from 'react-router'
import { containerClass } from '#app/ui/page.tsx'
import { listingTexts, navigation } from '#domain/category.ts'

/** The five categories, as the contents of a magazine are listed. */
export function WaysIn() {
  return (
    <section aria-labelledby="ways-in" className="bg-sunken">
      <div className={`${containerClass} grid gap-x-16 gap-y-8 py-16 md:py-24 lg:grid-cols-[1fr_2fr]`}>
        <h2 id="ways-in" className="max-w-[9.1em] text-title lg:sticky lg:top-28 lg:self-start">
          Five minutes, or an evening
        </h2>
        <ul className="border-t border-line">
          {navigation.map(({ category, label }) => (
            <li key={category} className="border-b border-line">
              <Link
                to={`/resources/${category}`}
                prefetch="intent"
                className="group/way grid items-baseline gap-x-8 gap-y-1 py-5 sm:grid-cols-[11rem_1fr_auto]"
              >
                <span className="font-serif text-2xl tracking-tight group-hover/way:text-accent">
                  {label}
                </span>
                <span className="text-muted">{listingTexts[category].blurb}</span>
                <span
                  aria-hidden="true"
                  className="hidden text-accent transition-transform group-hover/way:translate-x-1 sm:block"
                >
                  →
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
