import type { Database } from '#server/database/port.ts'

/** How a nightly backup ended, and what there is to know about it. */
export interface RunResult {
  outcome: 'verified' | 'checked' | 'failed'
  archive?: string
  bytes?: number
  resources?: number
  files?: number
  missingFiles?: number
  message?: string
}

const KEEP_DAYS = 90

/** Notes that a backup has begun, and closes those that nobody will end any more. Returns its id. */
export const beginRun = (db: Database): Promise<string> =>
  db.asOwner('a backup begins', async (tx) => {
    await tx.query(
      `update public.backup_runs set outcome = 'failed', ended_at = now(), message = 'The process ended in the middle of it.'
       where outcome = 'running'`,
    )
    await tx.query('delete from public.backup_runs where started_at < now() - make_interval(days => $1)', [
      KEEP_DAYS,
    ])
    const { rows } = await tx.query<{ id: string }>(
      'insert into public.backup_runs default values returning id',
    )
    return rows[0]?.id ?? ''
  })

export const endRun = (db: Database, id: string, result: RunResult): Promise<unknown> =>
  db.asOwner('a backup ends', (tx) =>
    tx.query(
      `update public.backup_runs set ended_at = now(), outcome = $2, archive = $3, bytes = $4, resources = $5, files = $6,
         missing_files = $7, message = $8
       where id = $1`,
      [
        id,
        result.outcome,
        result.archive ?? null,
        result.bytes ?? null,
        result.resources ?? null,
        result.files ?? null,
        result.missingFiles ?? null,
        result.message ?? '',
      ],
    ),
  )

/** The archives that were found to be well, as they are called in their place. */
export const verifiedArchives = (db: Database): Promise<Set<string>> =>
  db.asOwner('verified backups', async (tx) => {
    const { rows } = await tx.query<{ archive: string }>(
      `select archive from public.backup_runs where archive is not null and outcome in ('verified', 'checked')`,
    )
    return new Set(rows.map(({ archive }) => archive))
  })
