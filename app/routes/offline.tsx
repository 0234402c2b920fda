import { href } from 'react-router'
import { OfflinePage } from '#app/features/offline/offline-page.tsx'
import { pageMeta } from '#app/features/seo/page-meta.ts'
import { Page } from '#app/ui/page.tsx'
import type { Route } from './+types/offline'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'You are offline',
    description: 'What can be read without a network.',
    path: href('/offline'),
    hidden: true,
  })

/** Kept by the service worker, which shows it in place of what cannot be fetched. */
export default function Offline() {
  return (
    <Page>
      <OfflinePage />
    </Page>
  )
}
