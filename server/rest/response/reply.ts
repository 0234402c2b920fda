import type { Plan } from '../plan/types.ts'
import type { RowsOutcome } from '../run.ts'
import { responseHeaders, responseStatus } from './overrides.ts'

export type Header = [name: string, value: string]

/** An answer before it becomes a Response. */
export interface Reply {
  status: number
  headers: Header[]
  body: string | Uint8Array<ArrayBuffer> | null
}

/** The body as PostgreSQL wrote it; bytes come as base64. */
export const bodyOf = ({ answer }: Plan, { body }: RowsOutcome): Reply['body'] =>
  answer.media.kind === 'binary' ? new Uint8Array(Buffer.from(body ?? '', 'base64')) : (body ?? '')

/** What a function set as status and headers wins over ours. Errors: PGRST111, PGRST112. */
export function override(reply: Reply, { headers, status }: RowsOutcome): Reply {
  if (headers === null && status === null) return reply
  const own = headers === null ? [] : responseHeaders(headers)
  const replaced = new Set(own.map(([name]) => name.toLowerCase()))
  return {
    ...reply,
    status: status === null ? reply.status : responseStatus(status),
    headers: [...reply.headers.filter(([name]) => !replaced.has(name.toLowerCase())), ...own],
  }
}

/** Statuses whose answers can have no body. */
const BODILESS = new Set([204, 205, 304])

export const toResponse = ({ status, headers, body }: Reply): Response =>
  new Response(BODILESS.has(status) ? null : body, { status, headers })
