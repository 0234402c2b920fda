import { restErrors } from '../errors.ts'
import type { Preferences, RestRequest } from '../request/types.ts'
import { type Catalogue, mostSimilar, type Table } from '../schema.ts'
import type { RestSettings } from '../settings.ts'
import { answerOf, checksOf, maxAffectedOf } from './answer.ts'
import { planCall } from './call.ts'
import { chooseMedia } from './media.ts'
import { planRows } from './rows.ts'
import { tableScope } from './scope.ts'
import type { Plan, Returning } from './types.ts'
import { planDelete, planInsert, planReplace, planUpdate, type Write } from './write.ts'

/**
 * What is wanted → what is to be done: every name found in the catalogue, still no SQL. Pure.
 * Errors: RestError for names that are not there and wishes that contradict each other.
 */
export function planRequest(request: RestRequest, catalogue: Catalogue, settings: RestSettings): Plan {
  const { action, prefer } = request
  if (prefer.handling === 'strict' && prefer.invalid.length > 0)
    throw restErrors.badPreferences(prefer.invalid)
  if (action.kind === 'call') return planCall(request, action, catalogue, settings)

  const table = findTable(request.schema, action.relation, catalogue)
  const scope = tableScope(table, catalogue)
  const rows = planRows(request, scope, settings)
  const media = chooseMedia(request.accept, { plainValue: false, plans: settings.plans })
  if (action.kind === 'read') {
    return {
      kind: 'read',
      table,
      rows,
      answer: answerOf(media, prefer, request.head),
      checks: checksOf(media),
    }
  }
  const returning = returningOf(prefer)
  const common = {
    table,
    rows,
    returning,
    answer: answerOf(media, prefer, returning !== 'rows'),
    checks: { ...checksOf(media), ...maxAffectedOf(prefer) },
  }
  const write: Write = { common, request, scope }
  switch (action.kind) {
    case 'insert':
      return planInsert(write, action.payload)
    case 'replace':
      return planReplace(write, action.payload)
    case 'update':
      return planUpdate(write, action.payload)
    case 'delete':
      return planDelete(write)
  }
}

/** Errors: PGRST205, which names a table with a similar name. */
function findTable(schema: string, name: string, catalogue: Catalogue): Table {
  const table = catalogue.table(schema, name)
  if (!table) throw restErrors.unknownTable(schema, name, mostSimilar(name, catalogue.tableNames(schema)))
  return table
}

const returningOf = (prefer: Preferences): Returning =>
  prefer.return === 'representation' ? 'rows' : prefer.return === 'headers-only' ? 'location' : 'nothing'
