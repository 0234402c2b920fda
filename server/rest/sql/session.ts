import type { RestRequest } from '../request/types.ts'
import { quoteName } from './identifier.ts'
import { type Statement, statement } from './statement.ts'

/**
 * What the session must be told before the query: the time zone that was asked for, and where functions without a
 * path of their own look for names. The usual request, in `public` and in the server's own time zone, needs nothing.
 */
export function sessionSql({ schema, prefer }: Pick<RestRequest, 'schema' | 'prefer'>): {
  session?: Statement
} {
  const settings = [
    ...(schema === 'public' ? [] : [['search_path', `${quoteName(schema)}, public`] as const]),
    ...(prefer.timezone === undefined ? [] : [['timezone', prefer.timezone] as const]),
  ]
  if (settings.length === 0) return {}
  const session = statement((bind) => {
    const calls = settings.map(([name, value]) => `set_config(${bind(name)}, ${bind(value)}, true)`)
    return `select ${calls.join(', ')}`
  })
  return { session }
}
