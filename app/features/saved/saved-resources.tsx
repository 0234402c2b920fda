import type { ReactNode } from 'react'
import { href } from 'react-router'
import { ButtonLink } from '#app/ui/button.tsx'
import './saved-resources.css'

/** What the member saved, or how to begin. */
export const SavedResources = ({ count, children }: { count: number; children: ReactNode }) => (
  <section id="saved" aria-labelledby="saved-title" className="saved-resources">
    <h2 id="saved-title" className="text-title">
      Your Saved Resources
    </h2>
    {count > 0 ? (
      <div className="mt-8">{children}</div>
    ) : (
      <div className="mt-6 rounded-2xl bg-sunken px-6 py-10 text-center">
        <p className="font-serif text-xl">No saved resources yet</p>
        <p className="mt-2 text-muted">Press the heart on a resource, and it waits for you here.</p>
        <ButtonLink to={href('/resources/:category?')} className="mt-5">
          Explore Resources
        </ButtonLink>
      </div>
    )}
  </section>
)

export const RecommendedForYou = ({ children }: { children: ReactNode }) => (
  <section aria-labelledby="recommended-title" className="saved-resources">
    <h2 id="recommended-title" className="text-2xl">
      Recommended For You
    </h2>
    <div className="mt-6">{children}</div>
  </section>
)
