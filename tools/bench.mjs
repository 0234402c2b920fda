// `npm run bench`: installs and builds what is missing, then measures; see bench/main.ts for its options.
import { ensureBuilt } from './setup/build.mjs'
import { ensureInstalled } from './setup/install.mjs'
import { run, runNode } from './setup/run.mjs'

await ensureInstalled({ withDevTools: true })
await ensureBuilt()
await run(runNode(['bench/main.ts', ...process.argv.slice(2)]))
