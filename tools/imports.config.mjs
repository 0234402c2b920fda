// Who may import whom (docs/architecture.md). `npm run validate` checks it.

const within = (folder) => `^${folder}/`
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

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
    forbid(
      'features-are-strangers',
      'Routes introduce features to each other; all may use what signing in is made of',
      { path: '^app/features/([^/]+)/' },
      { path: '^app/features/([^/]+)/', pathNot: '^app/features/($1|login)/' },
    ),
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
