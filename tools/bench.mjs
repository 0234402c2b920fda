// `npm run bench`: installs and builds what is missing, then measures; see bench/main.ts for its options.
import { ensureBuilt, ensureInstalled } from './setup/prepare.mjs'
import { run, runNode } from './setup/run.mjs'

await ensureInstalled({ withDevTools: true })
await ensureBuilt()
// React is measured as it runs in production.
await run({ ...runNode(['bench/main.ts', ...process.argv.slice(2)]), env: { NODE_ENV: 'production' } })
