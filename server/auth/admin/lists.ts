import { z } from 'zod'
import type { Transaction } from '#server/database/port.ts'
import type { AuthContext, Endpoint } from '../context.ts'
import { authErrors } from '../errors.ts'
import { check, isStorable } from '../request-body.ts'
import { listUsers, type Page } from '../users/queries.ts'
import { instant, type Metadata, renderUser } from '../users/user.ts'

const MAX_FILTER = 255

/** GET /admin/users: all accounts by pages, the newest first; `filter` is a part of an address or name. */
export const listAllUsers: Endpoint = async (c) => {
  const page = readPage(c)
  const filter = c.req.query('filter') ?? ''
  if (filter.length > MAX_FILTER || !isStorable(filter)) throw authErrors.invalid('filter is not valid')
  const { users, total } = await c.var.services.db.asOwner('list users', (tx) => listUsers(tx, page, filter))
  announcePages(c, page, total)
  return c.json({ users: users.map(renderUser), aud: 'authenticated' })
}

/** GET /admin/audit: what happened to accounts, the newest first. */
export const listAudit: Endpoint = async (c) => {
  const page = readPage(c)
  const { entries, total } = await c.var.services.db.asOwner('read audit log', (tx) =>
    listAuditEntries(tx, page),
  )
  announcePages(c, page, total)
  return c.json(entries.map((entry) => ({ ...entry, created_at: instant(entry.created_at) })))
}

interface AuditRow {
  id: string
  payload: Metadata
  created_at: string
  ip_address: string
}

/** One page of the history, the newest first, and how long it is. */
async function listAuditEntries(tx: Transaction, { page, perPage }: Page) {
  const { rows: counts } = await tx.query<{ total: number }>(
    'select count(*) as total from auth.audit_log_entries',
  )
  const { rows } = await tx.query<{ entry: AuditRow }>(
    `select to_jsonb(a) - 'instance_id' as entry from auth.audit_log_entries a
     order by created_at desc, id limit $1 offset $2`,
    [perPage, (page - 1) * perPage],
  )
  return { entries: rows.map((row) => row.entry), total: counts[0]?.total ?? 0 }
}

const DEFAULT_PER_PAGE = 50
const MAX_PER_PAGE = 1000
const MAX_PAGE = 1_000_000

const number = (name: string, most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `Bad Pagination Parameters: ${name} must be a number`)
    .transform(Number)
    .pipe(z.number().min(1, `Bad Pagination Parameters: ${name} must be 1 at least`))
    .transform((value) => Math.min(value, most))

const Query = z.object({
  page: number('page', MAX_PAGE).default(1),
  per_page: number('per_page', MAX_PER_PAGE).default(DEFAULT_PER_PAGE),
})

/** Which page is asked for. Empty parameters count as missing: auth-js sends them. Errors: validation_failed. */
function readPage(c: AuthContext): Page {
  const { page, per_page: perPage } = check(Query, {
    page: c.req.query('page') || undefined,
    per_page: c.req.query('per_page') || undefined,
  })
  return { page, perPage }
}

/** Tells clients how many there are, and where to go on. auth-js reads the page from the first parameter. */
function announcePages(c: AuthContext, { page, perPage }: Page, total: number): void {
  const last = Math.ceil(total / perPage)
  const link = (to: number, rel: string) => `<${c.req.path}?page=${to}&per_page=${perPage}>; rel="${rel}"`
  c.header('x-total-count', String(total))
  if (last === 0) return
  c.header('link', [...(page < last ? [link(page + 1, 'next')] : []), link(last, 'last')].join(', '))
}
