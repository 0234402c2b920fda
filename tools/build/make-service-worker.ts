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

function codeOf({ entry, routes }: RouterManifest): string[] {
  const parts = [entry, ...publicRoutes.map((id) => routes[id])].filter((part) => part !== undefined)
  if (parts.length <= publicRoutes.length) throw new Error('a public route is missing from the build')
  const files = parts.flatMap(({ module, imports = [], css = [] }) => [module, ...imports, ...css])
  return [...new Set(files.map((file) => file.replace(/#.*$/, '')))]
}

/**
 * Builds the service worker into the built site, where it must lie at the root to see all pages. It knows the release
 * by the names of the built files: another build with the same content is the same release.
 */
async function makeServiceWorker(): Promise<void> {
  const names = (await readdir(join(client, 'assets'))).filter((name) => !/\.(br|gz)$/.test(name)).sort()
  const release = createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 12)
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    define: {
      RELEASE: JSON.stringify(release),
      PUBLIC_CODE: JSON.stringify(codeOf(await readManifest(names))),
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
