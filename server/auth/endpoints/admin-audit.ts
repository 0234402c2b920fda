import { announcePages, readPage } from '../admin/paging.ts'
import { listAuditEntries } from '../audit.ts'
import type { Endpoint } from '../context.ts'
import { instant } from '../users/user.ts'

/** GET /admin/audit: what happened to accounts, the newest first. */
export const listAudit: Endpoint = async (c) => {
  const page = readPage(c)
  const { entries, total } = await c.var.services.db.asOwner('read audit log', (tx) =>
    listAuditEntries(tx, page),
  )
  announcePages(c, page, total)
  return c.json(entries.map((entry) => ({ ...entry, created_at: instant(entry.created_at) })))
}
