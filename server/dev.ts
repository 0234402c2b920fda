import { run } from './run.ts'
import { siteUnderDevelopment } from './site/development.ts'

await run(process.env, siteUnderDevelopment)
