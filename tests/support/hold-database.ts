// `node tests/support/hold-database.ts <DATA_DIR> <statement>`: a stand-in for the service, to be killed.
import { ask, start } from './own-database.ts'

const [, , dataDir = '', sql = 'select 1'] = process.argv
const { url } = await start(dataDir)
await ask(url, sql)
console.log('ready')
setInterval(() => undefined, 60_000)
