import { href } from 'react-router'
import { LegalPage } from '#app/features/legal/legal-page.tsx'
import { termsClauses } from '#app/features/legal/terms-clauses.tsx'
import { breadcrumbs } from '#app/features/seo/json-ld.ts'
import { pageMeta } from '#app/features/seo/page-meta.ts'
import { legal } from '#app/session/site.ts'
import type { Route } from './+types/terms'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Terms of Service',
    description:
      'The rules of Walking Together: for adults, general information and no professional advice, under California law.',
    path: href('/terms'),
    jsonLd: [breadcrumbs([{ name: 'Terms of Service', path: href('/terms') }])],
  })

export default function Terms() {
  return (
    <LegalPage
      title="Terms of Service"
      updated={legal.termsUpdated}
      summary={
        <p>
          This site is for adults. What you find here is general information and no professional advice. Be
          kind, share links freely, and do not sell what is not yours.
        </p>
      }
      clauses={termsClauses}
    />
  )
}
