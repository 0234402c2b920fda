import type { Database, Transaction, Value } from '#server/database/port.ts'
import { type Caller, serviceRole, visitor } from '#server/tokens/caller.ts'

/** Made-up ids that can be told apart at a glance. */
const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

const account = (n: number): Caller => ({
  role: 'authenticated',
  claims: { role: 'authenticated', sub: id(n) },
})

export const people = {
  visitor,
  member: account(1),
  other: account(2),
  admin: account(3),
  /** A session that nobody has given a name, of an account that was made for it. */
  anonymous: {
    role: 'authenticated',
    claims: { role: 'authenticated', sub: id(4), is_anonymous: true },
  },
  service: serviceRole,
} as const satisfies Record<string, Caller>

export type Who = keyof typeof people

export const ids = {
  member: id(1),
  other: id(2),
  admin: id(3),
  anonymous: id(4),
  nobody: id(9),
  open: id(11),
  private: id(12),
  fresh: id(19),
}

/** One account of each kind, one resource and one file of each kind. */
const inhabitants = `
  insert into auth.users (id, email) values
    ('${ids.member}', 'member@example.org'), ('${ids.other}', 'other@example.org'), ('${ids.admin}', 'admin@example.org');
  insert into auth.users (id, is_anonymous) values ('${ids.anonymous}', true);
  update public.users set role = 'admin' where id = '${ids.admin}';
  insert into public.resources (id, title, description, category, location, public) values
    ('${ids.open}', 'Open', 'For everyone', 'reading', 'Berlin', true),
    ('${ids.private}', 'Secret', 'For members', 'reading', 'Hidden Valley', false);
  insert into storage.buckets (id, name, public) values ('vault', 'vault', false);
  insert into storage.objects (bucket_id, name) values
    ('images', 'resource-images/a.webp'), ('audio', 'resource-audio/a.mp3'), ('vault', 'a.txt');
`

export async function openWorld(open: () => Promise<Database>): Promise<Database> {
  const db = await open()
  await db.asOwner('test', (tx) => tx.script(inhabitants))
  return db
}

/** allowed: it met its row. hidden: no error, and no row either. refused: not permitted (SQLSTATE 42501). */
export type Outcome = 'allowed' | 'hidden' | 'refused'

/** What comes of a statement under somebody's role; whatever it changed is undone. */
export async function outcomeOf(
  db: Database,
  who: Who | Caller,
  sql: string,
  values: Value[] = [],
): Promise<Outcome> {
  const answer = await attempt(db, who, (tx) => tx.query(sql, values))
  if ('error' in answer) {
    if (answer.error.code === '42501') return 'refused'
    throw answer.error
  }
  return answer.result.affected > 0 ? 'allowed' : 'hidden'
}

type Attempt<T> = { result: T } | { error: Error & { code?: string } }

/** Does something as somebody in a transaction that is rolled back, and gives the result or the error. */
export async function attempt<T>(
  db: Database,
  who: Who | Caller,
  work: (tx: Transaction) => Promise<T>,
): Promise<Attempt<T>> {
  const undo = { result: undefined as T }
  try {
    await db.asCaller(typeof who === 'string' ? people[who] : who, async (tx) => {
      undo.result = await work(tx)
      throw undo
    })
    throw new Error('the transaction should have been undone')
  } catch (error) {
    return error === undo ? undo : { error: error as Error }
  }
}

/** One line of a policy table: the operation, and its outcome for each person. */
export type Line = readonly [operation: string, ...outcomes: Outcome[]]

/** Spells a table out as cases: who, the operation, the outcome. */
export const cases = (columns: readonly Who[], lines: readonly Line[]): Array<[Who, string, Outcome]> =>
  lines.flatMap(([operation, ...outcomes]) =>
    columns.map((who, column): [Who, string, Outcome] => {
      const outcome = outcomes[column]
      if (!outcome) throw new Error(`no outcome of "${operation}" for ${who}`)
      return [who, operation, outcome]
    }),
  )
