import { run } from './run.ts'
import { siteUnderDevelopment } from './site/build.ts'

await run(process.env, siteUnderDevelopment)
