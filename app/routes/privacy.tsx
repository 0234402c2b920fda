import { href } from 'react-router'
import { LegalPage } from '#app/features/legal/legal-page.tsx'
import { privacyClauses } from '#app/features/legal/privacy-clauses.tsx'
import { breadcrumbs } from '#app/features/seo/json-ld.ts'
import { pageMeta } from '#app/features/seo/page-meta.ts'
import { legal } from '#app/session/site.ts'
import type { Route } from './+types/privacy'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Privacy Policy',
    description:
      'What Walking Together collects, what it is used for, and what we never do: we do not sell your data.',
    path: href('/privacy'),
    jsonLd: [breadcrumbs([{ name: 'Privacy Policy', path: href('/privacy') }])],
  })

export default function Privacy() {
  return (
    <LegalPage
      title="Privacy Policy"
      updated={legal.privacyUpdated}
      summary={
        <p>
          We collect little, use it only to run this site, and do not sell it. The site is for adults. There
          are no advertisements and no trackers.
        </p>
      }
      clauses={privacyClauses}
    />
  )
}
