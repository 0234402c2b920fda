// Who may import whom (docs/architecture.md). `npm run validate` checks it.

const within = (folder) => `^${folder}/`
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

/** Features that others build on, the lowest first: each may use those before it. */
const shared = [
  'seo',
  'media',
  'article',
  'resources',
  'player',
  'saved',
  'offline',
  'forms',
  'login',
  'profile',
  'resource-admin',
]
const feature = (names) => `^app/features/(${names.join('|')})/`

/** All other features may use any of these, and are strangers to each other. */
const featureOrder = [
  ...shared.map((name, index) =>
    forbid(
      `${name}-uses-lower-features`,
      'A feature uses those below it, never one beside or above it',
      { path: feature([name]) },
      { path: '^app/features/', pathNot: feature(shared.slice(0, index + 1)) },
    ),
  ),
  forbid(
    'features-use-shared-ones',
    'What two features share belongs to one below both',
    { path: '^app/features/([^/]+)/', pathNot: feature(shared) },
    { path: '^app/features/', pathNot: `^app/features/($1|${shared.join('|')})/` },
  ),
]

export default {
  forbidden: [
    forbid('no-cycles', 'A cycle hides what depends on what', {}, { circular: true }),
    forbid(
      'domain-is-pure',
      'Rules know nothing of site or service',
      { path: within('domain'), pathNot: '[.]test[.]ts$' },
      { path: '^(app|bench|server|tests)/' },
    ),
    forbid(
      'site-knows-no-server',
      'The site knows nothing but a Supabase address and a key',
      { path: within('app') },
      { path: '^(bench|server|tests)/' },
    ),
    forbid(
      'server-knows-only-the-contract',
      'The service gives the site its services, and knows no page',
      { path: within('server'), pathNot: '[.]test[.]ts$' },
      { path: '^(app|bench|tests)/', pathNot: '^app/session/site[.]ts$' },
    ),
    ...featureOrder,
    forbid(
      'features-know-no-route',
      'Routes stand above features',
      { path: '^app/features/' },
      { path: '^app/routes/' },
    ),
    forbid(
      'design-system-knows-no-domain',
      'No domain words in the design system',
      { path: '^app/ui/' },
      { path: '^(app/(features|routes|session)|domain)/' },
    ),
    forbid(
      'protocols-are-strangers',
      'Each protocol server can be replaced alone',
      { path: '^server/(auth|rest|storage)/' },
      { path: '^server/(auth|rest|storage)/', pathNot: '^server/$1/' },
    ),
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(build|[.]react-router)/|[+]types' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js'],
      conditionNames: ['import', 'types', 'default'],
    },
  },
}
