import { z } from 'zod'
import type { AuthContext } from '../context.ts'
import { check } from '../request-body.ts'
import type { Page } from '../users/queries.ts'

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
export function readPage(c: AuthContext): Page {
  const { page, per_page: perPage } = check(Query, {
    page: c.req.query('page') || undefined,
    per_page: c.req.query('per_page') || undefined,
  })
  return { page, perPage }
}

/** Tells clients how many there are, and where to go on. auth-js reads the page from the first parameter. */
export function announcePages(c: AuthContext, { page, perPage }: Page, total: number): void {
  const last = Math.ceil(total / perPage)
  const link = (to: number, rel: string) => `<${c.req.path}?page=${to}&per_page=${perPage}>; rel="${rel}"`
  c.header('x-total-count', String(total))
  if (last === 0) return
  c.header('link', [...(page < last ? [link(page + 1, 'next')] : []), link(last, 'last')].join(', '))
}
