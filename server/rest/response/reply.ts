import type { RowsOutcome } from '../run.ts'
import { responseHeaders, responseStatus } from './overrides.ts'

export type Header = readonly [name: string, value: string]

/** An answer before it becomes a Response. */
export interface Reply {
  status: number
  headers: Header[]
  body: string | Uint8Array<ArrayBuffer> | null
}

/** What a function set as status and headers wins over ours. Errors: PGRST111, PGRST112. */
export function override(reply: Reply, { headers, status }: RowsOutcome): Reply {
  if (headers === undefined && status === undefined) return reply
  const own = headers === undefined ? [] : responseHeaders(headers)
  const replaced = new Set(own.map(([name]) => name.toLowerCase()))
  return {
    ...reply,
    status: status === undefined ? reply.status : responseStatus(status),
    headers: [...reply.headers.filter(([name]) => !replaced.has(name.toLowerCase())), ...own],
  }
}

/** Statuses whose answers can have no body. */
const BODILESS = new Set([204, 205, 304])

export function toResponse({ status, headers, body }: Reply): Response {
  const list = headers.map(([name, value]): [string, string] => [name, value])
  return new Response(BODILESS.has(status) ? null : body, { status, headers: list })
}
