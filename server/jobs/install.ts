import { getConstructionPlans, getMigrationPlans } from 'pg-boss'
import type { Transaction } from '#server/database/port.ts'

/** Where pg-boss keeps its tables. Nobody but the database's owner may enter it. */
export const SCHEMA = 'pgboss'

/**
 * Brings the queue's own tables to the version of the library, inside the caller's transaction, so that they come and
 * go with the other migrations, and template databases hold them. Processes that start together take turns.
 */
export async function installJobs(tx: Transaction): Promise<void> {
  const version = await installedVersion(tx)
  const newest = newestVersion()
  if (version === undefined) return tx.script(withinTransaction(getConstructionPlans(SCHEMA)))
  if (version < newest) await tx.script(withinTransaction(getMigrationPlans(SCHEMA, version)))
}

async function installedVersion(tx: Transaction): Promise<number | undefined> {
  const { rows } = await tx.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    `${SCHEMA}.version`,
  ])
  if (!rows[0]?.there) return undefined
  return (await tx.query<{ version: number }>(`select version from ${SCHEMA}.version`)).rows[0]?.version
}

/** The last statement of a new installation says which version it is; the library exports it nowhere else. */
function newestVersion(): number {
  const found = /insert into \S*version\(version\) values \('(\d+)'\)/i.exec(getConstructionPlans(SCHEMA))
  if (!found) throw new Error('pg-boss no longer says which version its tables have')
  return Number(found[1])
}

/** The library's scripts open and commit a transaction of their own; ours is open already. */
const withinTransaction = (script: string): string =>
  script.replace(/^\s*BEGIN;/, '').replace(/COMMIT;\s*$/, '')
