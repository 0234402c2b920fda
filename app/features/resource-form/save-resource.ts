import { currentMember } from '#app/session/reader.ts'
import { openSession } from '#app/session/session.ts'
import type { Resource } from '#domain/resource.ts'
import { changedFields, fieldsOf, type ResourceFields } from '#domain/resource-form/fields.ts'
import { changedRow, newRow } from '#domain/resource-form/row.ts'

/** What is saved where. */
export interface SaveOrder {
  id: string
  fields: ResourceFields
  /** yyyy-mm-dd */
  today: string
  /** The row as it was loaded; null creates a new one. */
  edits: { fields: ResourceFields | null; updatedAt: string } | null
}

export type SaveOutcome =
  | { state: 'saved' }
  /** Somebody else saved in between: the row as it is now. */
  | { state: 'changed'; row: Resource }
  | { state: 'deleted' }
  | { state: 'signed-out' }
  | { state: 'failed'; message: string }

/** Saves what the form holds (specification, section 7). Never throws, and never overwrites what the admin has not seen. */
export async function saveResource(order: SaveOrder): Promise<SaveOutcome> {
  try {
    return order.edits ? await update(order, order.edits) : await insert(order)
  } catch (error) {
    return failed({ message: String(error), code: '' }, 0)
  }
}

async function insert({ id, fields }: SaveOrder): Promise<SaveOutcome> {
  const { library } = await openSession()
  const row = newRow(id, fields)
  const { error, status } = await library.from('resources').insert(row)
  if (!error) return { state: 'saved' }
  // An earlier try arrived although its answer did not.
  return error.code === '23505' ? compare(id, { sent: fieldsOf(row) }) : failed(error, status)
}

async function update(
  { id, fields, today }: SaveOrder,
  edits: NonNullable<SaveOrder['edits']>,
): Promise<SaveOutcome> {
  const { library } = await openSession()
  const row = changedRow(fields, edits.fields, today)
  const { data, error, status } = await library
    .from('resources')
    .update(row)
    .eq('id', id)
    .eq('updated_at', edits.updatedAt)
    .select('id')
  if (error) return failed(error, status)
  if (data.length > 0) return { state: 'saved' }
  return compare(id, { loaded: edits.updatedAt })
}

/**
 * Looks why nothing was written.
 * @param sent what an earlier try may have written @param loaded when the row was changed last, as far as the form knows
 */
async function compare(
  id: string,
  { sent, loaded }: { sent?: ResourceFields; loaded?: string },
): Promise<SaveOutcome> {
  const { library } = await openSession()
  const { data: row, error, status } = await library.from('resources').select().eq('id', id).maybeSingle()
  if (error) return failed(error, status)
  if (!row) return { state: 'deleted' }
  if (row.updated_at === loaded) return { state: 'failed', message: NOT_ALLOWED }
  return sent && changedFields(sent, fieldsOf(row)).length === 0
    ? { state: 'saved' }
    : { state: 'changed', row }
}

const NOT_ALLOWED =
  'The server did not accept the change: your account may not change this resource any more.'
const UNREACHABLE =
  'The server cannot be reached. Check your connection and try again; what you typed is kept.'

/** The server's own message (section 8). Without a session it is refused as a visitor's, which says nothing of use. */
function failed(error: { message: string; code: string }, status: number): SaveOutcome {
  if (status === 401 || !currentMember()) return { state: 'signed-out' }
  if (status === 0) console.error(error.message)
  return { state: 'failed', message: status === 0 ? UNREACHABLE : error.message }
}
