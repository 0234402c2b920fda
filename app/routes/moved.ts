import { href, redirect } from 'react-router'

const homes: Readonly<Record<string, string>> = {
  [href('/privacy-policy')]: href('/privacy'),
  [href('/terms-of-service')]: href('/terms'),
}

/** Addresses that moved for good (design, section 6). */
export const loader = ({ url }: { url: URL }) =>
  redirect(homes[url.pathname.replace(/\/$/, '')] ?? href('/'), 301)
