import { redirect } from 'react-router'

const homes: Readonly<Record<string, string>> = {
  '/privacy-policy': '/privacy',
  '/terms-of-service': '/terms',
}

/** Addresses that moved for good (design, section 6). */
export const loader = ({ request }: { request: Request }) => {
  const { pathname } = new URL(request.url)
  return redirect(homes[pathname.replace(/\/$/, '')] ?? '/', 301)
}
