import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'

const root = join(import.meta.dirname, '../..')
const client = join(root, 'build/client')
/** The routes that a visitor may want to open without a network. */
const publicRoutes = [
  'root',
  ...['home', 'listing', 'detail', 'about', 'privacy', 'terms', 'offline'].map((name) => `routes/${name}`),
]

/** The routes that a member may keep: with all that they fetch later on, which a visitor never does. */
const memberRoutes = ['root', 'routes/detail', 'routes/profile']

interface Code {
  module: string
  imports: string[]
  css: string[]
}
interface RouterManifest {
  entry: Code
  routes: Record<string, Code>
}

/** React Router's own list of what each route is made of. */
async function readManifest(names: readonly string[]): Promise<RouterManifest> {
  const name = names.find((each) => each.startsWith('manifest-'))
  const text = await readFile(join(client, 'assets', name ?? 'manifest'), 'utf8')
  return JSON.parse(text.replace(/^window\.__reactRouterManifest=/, '').replace(/;$/, ''))
}

function codeOf({ entry, routes }: RouterManifest, ids: readonly string[]): string[] {
  const parts = [entry, ...ids.map((id) => routes[id])].filter((part) => part !== undefined)
  if (parts.length <= ids.length) throw new Error(`one of ${ids.join(', ')} is missing from the build`)
  const files = parts.flatMap(({ module, imports = [], css = [] }) => [module, ...imports, ...css])
  return [...new Set(files.map((file) => file.replace(/#.*$/, '')))]
}

/** The files given, and all that they import, at once or later, as the built code names them. */
async function withImports(files: readonly string[]): Promise<string[]> {
  const found = new Set(files)
  for (const file of found) {
    if (!file.endsWith('.js')) continue
    const code = await readFile(join(client, file), 'utf8')
    for (const [, name] of code.matchAll(/["'`](?:\.\/|\/?assets\/)([\w.-]+\.(?:js|css))["'`]/g)) {
      found.add(`/assets/${name}`)
    }
  }
  return [...found]
}

/**
 * Builds the service worker into the built site, where it must lie at the root to see all pages. It knows the release
 * by the names of the built files: another build with the same content is the same release.
 */
async function makeServiceWorker(): Promise<void> {
  const names = (await readdir(join(client, 'assets'))).filter((name) => !/\.(br|gz)$/.test(name)).sort()
  const release = createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 12)
  const manifest = await readManifest(names)
  const publicCode = codeOf(manifest, publicRoutes)
  const memberCode = await withImports(codeOf(manifest, memberRoutes))
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    define: {
      RELEASE: JSON.stringify(release),
      PUBLIC_CODE: JSON.stringify(publicCode),
      MEMBER_CODE: JSON.stringify(memberCode.filter((file) => !publicCode.includes(file))),
    },
    build: {
      outDir: client,
      emptyOutDir: false,
      target: 'es2022',
      lib: {
        entry: join(root, 'app/worker/service-worker.ts'),
        formats: ['iife'],
        name: 'worker',
        fileName: () => 'service-worker.js',
      },
    },
  })
}

await makeServiceWorker()
