import { announcePages, readPage } from '../admin/paging.ts'
import type { Endpoint } from '../context.ts'
import { authErrors } from '../errors.ts'
import { isStorable } from '../request-body.ts'
import { listUsers } from '../users/queries.ts'
import { renderUser } from '../users/user.ts'

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
