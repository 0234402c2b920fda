import './listing.css'
import { RotateCw } from 'lucide'
import { href, Link, useLocation } from 'react-router'
import { BackButton, ButtonLink, buttonClass } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Banner, Notice } from '#app/ui/page.tsx'
import { changeListing, type ListingQuery, listingSearch } from '#domain/listing.ts'
import { withoutFilters } from './filters.tsx'
import { categoryIcons } from './resource-card.tsx'

/** The library did not answer. Retry loads the page anew; as a form it does so without JavaScript as well. */
export function ListingFailed() {
  const { search } = useLocation()
  return (
    <Banner tone="error" className="mt-10">
      <p>Failed to load resources. Please try again later.</p>
      <form>
        {[...new URLSearchParams(search)].map(([name, value]) => (
          <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
        ))}
        <button type="submit" className={buttonClass('secondary')}>
          <Icon icon={RotateCw} className="size-4" />
          Retry
        </button>
      </form>
    </Banner>
  )
}

/** Nothing passes the search and the filters. */
export const NothingMatches = ({ query }: { query: ListingQuery }) => (
  <div className="max-w-xl py-6">
    <h2 className="text-2xl">No resources match</h2>
    <p className="mt-3 text-muted">Try fewer or other words, or look at everything that is here.</p>
    <p className="mt-5">
      <Link
        to={{ search: listingSearch(changeListing(query, { ...withoutFilters, q: '' })) }}
        className={buttonClass('secondary')}
      >
        Clear search and filters
      </Link>
    </p>
    <LoginRequired />
  </div>
)

const elsewhere = [
  { category: 'reading', label: 'Start reading' },
  { category: 'podcast', label: 'Hear a podcast' },
] as const

/** A visitor's category, or the whole library, holds nothing public yet. */
export const ComingSoon = ({ category }: Pick<ListingQuery, 'category'>) => (
  <div className="mt-12 grid items-center gap-12 lg:grid-cols-[1fr_22rem]">
    <div className="max-w-xl">
      <h2 className="text-3xl">Coming Soon</h2>
      <p className="mt-4 text-lg text-muted">We are still preparing this part of the library.</p>
      {category && (
        <p className="mt-6 flex flex-wrap gap-3">
          {elsewhere
            .filter((other) => other.category !== category)
            .map((other) => (
              <ButtonLink
                key={other.category}
                to={href('/resources/:category?', { category: other.category })}
                look="secondary"
              >
                {other.label}
              </ButtonLink>
            ))}
        </p>
      )}
      <LoginRequired />
    </div>
    <div className="coming-soon-sign" aria-hidden="true">
      <Icon icon={categoryIcons[category ?? 'reading']} className="size-28" strokeWidth={1} />
    </div>
  </div>
)

/** What a visitor is told where nothing is shown: members see more (specification, section 6). */
const LoginRequired = () => (
  <section className="visitors-only mt-10 border-t border-line pt-6">
    <h3 className="text-xl">Login Required</h3>
    <p className="mt-2 text-muted">Some resources are open to members only. Please log in to see them.</p>
    <ButtonLink to={href('/login')} className="mt-4">
      Log In
    </ButtonLink>
  </section>
)

/** For visitors, a private resource and one that does not exist look the same: nobody learns which it is. */
export const PrivateResource = () => (
  <Notice title="For members">
    <p>This resource is private and requires authentication to view.</p>
    <p className="flex flex-wrap gap-3">
      <ButtonLink to={href('/login')}>Log In</ButtonLink>
      <BackButton fallback={href('/resources/:category?')} />
    </p>
  </Notice>
)

/** For members, who may see everything: there is no such resource. */
export const ResourceMissing = () => (
  <>
    <h1 className="sr-only">Resource</h1>
    <Banner tone="error">
      <p>Resource not found.</p>
      <BackButton fallback={href('/resources/:category?')} />
    </Banner>
  </>
)

/** The library did not answer. */
export const ResourceFailed = () => (
  <>
    <h1 className="sr-only">Resource</h1>
    <Banner tone="error">
      <p>Failed to load resource.</p>
      <BackButton fallback={href('/resources/:category?')} />
    </Banner>
  </>
)
