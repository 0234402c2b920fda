import { index, type RouteConfig, route } from '@react-router/dev/routes'

export default [
  index('routes/home.tsx'),
  route('about', 'routes/about.tsx'),
  route('login', 'routes/login.tsx'),
  route('reset-password', 'routes/reset-password.tsx'),
  route('profile', 'routes/profile.tsx'),
  route('profile/security', 'routes/security.tsx'),
  // For admins; everybody else goes to /.
  route('admin', 'routes/admin.tsx'),
  route('resources/new', 'routes/resource-new.tsx'),
  route('resources/edit/:id', 'routes/resource-edit.tsx'),
  route('resources/:category?', 'routes/listing.tsx'),
  route('resource/:id', 'routes/detail.tsx'),
  // Shown by the service worker where there is no network.
  route('offline', 'routes/offline.tsx'),
  route('privacy', 'routes/privacy.tsx'),
  route('terms', 'routes/terms.tsx'),
  // Consent texts link to these; they moved for good.
  route('privacy-policy', 'routes/moved.ts', { id: 'privacy-policy' }),
  route('terms-of-service', 'routes/moved.ts', { id: 'terms-of-service' }),
  // For machines.
  route('sitemap.xml', 'routes/sitemap.ts'),
  route('robots.txt', 'routes/robots.ts'),
  route('feed.xml', 'routes/feed.ts'),
  route('podcast.xml', 'routes/podcast-feed.ts'),
  route('*', 'routes/not-found.tsx'),
] satisfies RouteConfig
