import { href, Link } from 'react-router'
import { Landscape } from '#app/assets/landscape.tsx'
import { tagline, useSettings } from '#app/session/site.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { containerClass } from '#app/ui/page.tsx'
import { listingTexts, navigation } from '#domain/resource.ts'
import { Featured, type FeaturedResource } from './featured.tsx'

/**
 * The home page.
 * @param featured the resources that the editors put forward; without any, that part is left out
 */
export function HomePage({ featured }: { featured: readonly FeaturedResource[] }) {
  const { earlyAccess } = useSettings()
  return (
    <>
      <Hero />
      <CategoryLinks />
      <Topics />
      <Featured resources={featured} />
      <HelpLines />
      {earlyAccess && <EarlyAccess />}
    </>
  )
}

/** The first thing anybody sees: what this is, and two ways on. */
function Hero() {
  return (
    <section className="overflow-hidden">
      <div className={`${containerClass} pt-6 md:pt-14`}>
        <p className="flex items-center gap-3 text-muted before:h-px before:w-10 before:shrink-0 before:bg-brand">
          {tagline}
        </p>
        <h1 className="mt-5 max-w-[12.5em] lg:max-w-[14.4em] text-display leading-[1.04] tracking-[-0.025em]">
          Growing together through the journey of Modern Parenting
        </h1>
        <p className="mt-6 max-w-[36rem] text-lg text-balance text-muted md:text-xl">
          Articles, podcasts and conversations for parents and caregivers of 9 to 17 year olds. Short enough
          for tonight, honest enough to help.
        </p>
        <div className="mt-8 flex flex-wrap gap-3">
          <ButtonLink to={href('/resources/:category?')} prefetch="intent" className="px-7">
            Explore Resources
          </ButtonLink>
          <ButtonLink to={href('/about')} prefetch="intent" look="secondary" className="px-7">
            Learn About Us
          </ButtonLink>
        </div>
      </div>
      <Landscape />
    </section>
  )
}

/** The five categories, as the contents of a magazine are listed. */
function CategoryLinks() {
  return (
    <section aria-labelledby="categories" className="bg-sunken">
      <div className={`${containerClass} grid gap-x-16 gap-y-8 py-16 md:py-24 lg:grid-cols-[1fr_2fr]`}>
        <h2 id="categories" className="max-w-[9.1em] text-title lg:sticky lg:top-28 lg:self-start">
          Five minutes, or an evening
        </h2>
        <ul className="border-t border-line">
          {navigation.map(({ category, label }) => (
            <li key={category} className="border-b border-line">
              <Link
                to={href('/resources/:category?', { category })}
                prefetch="intent"
                className="group/category grid items-baseline gap-x-8 gap-y-1 py-5 sm:grid-cols-[11rem_1fr_auto]"
              >
                <span className="font-serif text-2xl tracking-tight group-hover/category:text-accent">
                  {label}
                </span>
                <span className="text-muted">{listingTexts[category].blurb}</span>
                <span
                  aria-hidden="true"
                  className="hidden text-accent transition-transform group-hover/category:translate-x-1 sm:block"
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

/** What parents come with, and the word the library knows it by. */
const topics = [
  { label: 'Sleep', search: 'sleep' },
  { label: 'Screens and phones', search: 'screen' },
  { label: 'Anxiety', search: 'anxiety' },
  { label: 'Friendships', search: 'friend' },
  { label: 'Bullying', search: 'bullying' },
  { label: 'Growing up', search: 'puberty' },
  { label: 'School', search: 'school' },
  { label: 'Gaming', search: 'gam' },
  { label: 'Money', search: 'money' },
  { label: 'Grief', search: 'grief' },
  { label: 'Two homes', search: 'divorce' },
  { label: 'Asking for help', search: 'help' },
] as const

/** For a parent in a hurry: straight to a search. */
function Topics() {
  return (
    <section aria-labelledby="topics" className={`${containerClass} py-16 md:py-24`}>
      <h2 id="topics" className="text-title">
        What is it about tonight?
      </h2>
      <ul className="mt-7 flex flex-wrap gap-2.5">
        {topics.map(({ label, search }) => (
          <li key={search}>
            <Link
              to={`${href('/resources/:category?')}?q=${search}`}
              className="inline-flex min-h-11 items-center rounded-full border border-edge px-5 transition-colors hover:border-accent hover:bg-tint hover:text-accent"
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Only lines that are known all over their country, free, and open day and night. */
const helpLines = [
  { where: 'United States', what: '988 Suicide & Crisis Lifeline', how: 'call or text 988', number: '988' },
  { where: 'Canada', what: '9-8-8 Suicide Crisis Helpline', how: 'call or text 988', number: '988' },
  { where: 'United Kingdom and Ireland', what: 'Samaritans', how: 'call 116 123', number: '116123' },
  { where: 'Australia', what: 'Lifeline', how: 'call 13 11 14', number: '131114' },
] as const

/** A quiet note for the worst evenings. */
function HelpLines() {
  return (
    <section aria-labelledby="help-lines" className={`${containerClass} pb-16 md:pb-24`}>
      <div className="grid gap-x-16 gap-y-5 border-t-2 border-dusk pt-6 lg:grid-cols-[1fr_2fr]">
        <div>
          <h2 id="help-lines" className="text-2xl text-dusk">
            If it cannot wait
          </h2>
          <p className="mt-2 max-w-[24em] text-muted">
            If somebody is in danger now, call your local emergency number. You can also talk to somebody at
            any hour:
          </p>
        </div>
        <dl className="grid gap-x-10 gap-y-5 sm:grid-cols-2">
          {helpLines.map(({ where, what, how, number }) => (
            <div key={where}>
              <dt className="text-sm text-muted">{where}</dt>
              <dd>
                {what}:{' '}
                <a
                  href={`tel:${number}`}
                  className="inline-block py-1 font-semibold pointer-coarse:py-2.5 whitespace-nowrap text-dusk underline underline-offset-4"
                >
                  {how}
                </a>
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  )
}

/** Accounts are not open to everyone yet; says so before anybody looks for them. */
function EarlyAccess() {
  return (
    <section aria-labelledby="early-access" className="visitors-only bg-tint">
      <div
        className={`${containerClass} flex flex-wrap items-center justify-between gap-x-16 gap-y-6 py-12 md:py-16`}
      >
        <div className="max-w-2xl">
          <h2 id="early-access" className="text-2xl">
            Member accounts are coming soon
          </h2>
          <p className="mt-2 text-muted">
            With one you can save what helped and see the resources that are kept for members. Reading and
            listening stay free and need no account.
          </p>
        </div>
        <ButtonLink to={href('/login')} look="secondary">
          Request early access
        </ButtonLink>
      </div>
    </section>
  )
}
