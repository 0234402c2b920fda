import { redirect } from 'react-router'

const homes: Readonly<Record<string, string>> = {
  '/privacy-policy': '/privacy',
  '/terms-of-service': '/terms',
}

/** Addresses that moved for good (design, section 6). */
export const loader = ({ url }: { url: URL }) => redirect(homes[url.pathname.replace(/\/$/, '')] ?? '/', 301)
