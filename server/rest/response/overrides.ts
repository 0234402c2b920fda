import { z } from 'zod'
import { restErrors } from '../errors.ts'

/** What can stand in a header: neither line breaks nor what no byte can say. */
export const HeaderMap = z.record(
  z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/),
  z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/),
)
const HeaderList = z.array(HeaderMap.refine((pair) => Object.keys(pair).length === 1))

/** `[{"X-Name": "value"}]`, set by a function as `response.headers`. Errors: PGRST111. */
export function responseHeaders(text: string): Array<[name: string, value: string]> {
  try {
    return HeaderList.parse(JSON.parse(text)).flatMap((pair) => Object.entries(pair))
  } catch {
    throw restErrors.badResponseHeaders()
  }
}

/** A status that a function set as `response.status`. Errors: PGRST112. */
export function responseStatus(text: string): number {
  const status = /^\d{3}$/.test(text) ? Number(text) : 0
  if (status < 200 || status > 599) throw restErrors.badResponseStatus()
  return status
}
