import type { Database, Transaction } from '#server/database/port.ts'
import type { ServiceFigures } from './figures.ts'

interface Options {
  db: Database
  /** The queue that mails go through. */
  emailQueue: string
}

/** Reads all figures in one transaction. Errors: DatabaseUnavailable. */
export const readFigures = ({ db, emailQueue }: Options): Promise<ServiceFigures> =>
  db.asOwner('metrics', async (tx) => ({
    pool: db.usage(),
    database: await readDatabase(tx),
    jobs: await readJobs(tx),
    mail: await readMail(tx, emailQueue),
    backup: await readBackup(tx),
  }))

async function readDatabase(tx: Transaction): Promise<ServiceFigures['database']> {
  const { rows } = await tx.query<{ bytes: number; connections: number }>(
    `select pg_database_size(current_database())::float8 as bytes,
       (select count(*)::int from pg_stat_activity where datname = current_database()) as connections`,
  )
  return rows[0]
}

async function readJobs(tx: Transaction): Promise<NonNullable<ServiceFigures['jobs']>> {
  const { rows } = await tx.query<{ queue: string; state: string; count: number }>(
    'select name as queue, state::text as state, count(*)::int as count from pgboss.job group by 1, 2',
  )
  return rows
}

async function readMail(tx: Transaction, queue: string): Promise<ServiceFigures['mail']> {
  const { rows } = await tx.query<NonNullable<ServiceFigures['mail']>>(
    `select count(*) filter (where state < 'completed')::int as waiting,
       count(*) filter (where state = 'failed')::int as failed,
       coalesce(extract(epoch from now() - min(created_on) filter (where state < 'completed')), 0)::float8
         as "oldestWaitingSeconds"
     from pgboss.job where name = $1`,
    [queue],
  )
  return rows[0]
}

/** `checked` is as good as `verified` where a second database cannot be run. */
async function readBackup(tx: Transaction): Promise<ServiceFigures['backup']> {
  const { rows } = await tx.query<{ age: number | null; failed: boolean | null }>(
    `select extract(epoch from now() - max(ended_at) filter (where outcome in ('verified', 'checked')))::float8 as age,
       (select outcome = 'failed' from public.backup_runs where outcome <> 'running'
        order by started_at desc limit 1) as failed
     from public.backup_runs`,
  )
  return { verifiedAgeSeconds: rows[0]?.age ?? undefined, lastFailed: rows[0]?.failed ?? false }
}
