import { Link } from 'react-router'
import { containerClass } from '#app/ui/page.tsx'

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
export function Topics() {
  return (
    <section aria-labelledby="topics" className={`${containerClass} py-16 md:py-24`}>
      <h2 id="topics" className="text-title">
        What is it about tonight?
      </h2>
      <ul className="mt-7 flex flex-wrap gap-2.5">
        {topics.map(({ label, search }) => (
          <li key={search}>
            <Link
              to={`/resources?q=${search}`}
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
