import { run } from './run.ts'
import { builtSite } from './site/build.ts'

await run(process.env, builtSite)
