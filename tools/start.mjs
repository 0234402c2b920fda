// `npm start` and `npm run dev`. Plain JavaScript for Node 20: it runs before anything is installed.

import { ensureBuilt, ensureInstalled } from './setup/prepare.mjs'
import { run, runNode, runService } from './setup/run.mjs'

const developing = process.argv.includes('--dev')

await ensureInstalled({ withDevTools: developing })
if (developing) {
  await run(
    runNode(['--watch-path=server', '--watch-path=domain', '--watch-preserve-output', 'server/dev.ts']),
  )
} else {
  await ensureBuilt()
  await run(runService(['server/main.ts']))
}
