import { startTestPostgres } from './test-postgres.ts'

/** One PostgreSQL server for the whole run, of either runner. What it returns ends it. */
export default (): Promise<() => Promise<void>> => startTestPostgres()
