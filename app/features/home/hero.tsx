import { tagline } from '#app/session/site.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Landscape } from '#app/ui/landscape.tsx'
import { containerClass } from '#app/ui/page.tsx'

/** The first thing anybody sees: what this is, and two ways on. */
export function Hero() {
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
          <ButtonLink to="/resources" prefetch="intent" className="px-7">
            Explore Resources
          </ButtonLink>
          <ButtonLink to="/about" prefetch="intent" look="secondary" className="px-7">
            Learn About Us
          </ButtonLink>
        </div>
      </div>
      <Landscape />
    </section>
  )
}
