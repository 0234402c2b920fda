import { Search } from 'lucide'
import { Icon } from '#app/ui/icon.tsx'
import { listingTexts } from '#domain/category.ts'
import type { ListingQuery } from '#domain/listing.ts'

/** The search field; the icon is its button, for those who do not wait and for pages without JavaScript. */
export function SearchBox({ query: { q, category } }: { query: ListingQuery }) {
  return (
    <div className="relative min-w-0 grow basis-72">
      <input
        type="search"
        name="q"
        defaultValue={q}
        aria-label={`Search ${listingTexts[category ?? 'all'].title}`}
        placeholder="Search titles and descriptions"
        autoComplete="off"
        enterKeyHint="search"
        className="h-12 w-full rounded-full border border-edge bg-surface ps-12 pe-5 text-base placeholder:text-muted"
      />
      <button
        type="submit"
        aria-label="Search"
        className="absolute inset-y-0 start-0 grid w-12 cursor-pointer place-items-center rounded-full text-muted hover:text-accent"
      >
        <Icon icon={Search} className="size-5" />
      </button>
    </div>
  )
}
