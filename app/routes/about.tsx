import { href } from 'react-router'
import { AboutPage } from '#app/features/about-page.tsx'
import { breadcrumbs } from '#app/features/seo/json-ld.ts'
import { pageMeta } from '#app/features/seo/page-meta.ts'
import { team } from '#app/session/site.ts'
import type { Route } from './+types/about'

export const loader = () => ({ team })

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'About us',
    description:
      'Why we started Walking Together, who it is for, what it offers, and the values that decide what gets in.',
    path: href('/about'),
    jsonLd: [breadcrumbs([{ name: 'About us', path: href('/about') }])],
  })

export default function About({ loaderData }: Route.ComponentProps) {
  return <AboutPage team={loaderData.team} />
}
