import { v4 as newId } from 'uuid'
import * as z from 'zod/mini'
import { dropDraft, findDrafts } from '#app/session/client/draft-store.ts'
import type { Library } from '#app/session/client/library.ts'
import { currentMember } from '#app/session/current-user.tsx'
import { openSession } from '#app/session/session.ts'
import { decodeArticle } from '#domain/article/encoding.ts'
import { localDate } from '#domain/dates.ts'
import type { Resource } from '#domain/resource.ts'
import { type Draft, mergeFields } from '#domain/resource-form/draft.ts'
import {
  changedFields,
  changedRow,
  defaultFields,
  type FieldName,
  fieldsOf,
  fieldsShape,
  isCreatable,
  newRow,
  type ResourceFields,
} from '#domain/resource-form/fields.ts'

/** What saving goes by: the row as the form knows it. */
const basisShape = z.object({
  id: z.string(),
  /** When the row was last changed; null: there is none yet. */
  updatedAt: z.nullable(z.string()),
  /** How it was loaded, or how the form began; null: that is not known any more. */
  fields: z.nullable(fieldsShape),
})

export type Basis = z.infer<typeof basisShape>

/** What the form sends to its route. Its rules were asked before, and are the database's too. */
const saveInput = z.object({
  basis: basisShape,
  fields: fieldsShape,
  /** What this browser keeps of it, for as long as it is not saved. */
  draft: z.object({ key: z.string(), member: z.string() }),
})

export type SaveInput = z.infer<typeof saveInput>

/** A row that has just been read. */
export interface KnownBasis extends Basis {
  updatedAt: string
  fields: ResourceFields
}

/** How the last try ended, unless it went well. */
export type Trouble =
  | { state: 'failed'; message: string }
  | { state: 'signed-out' }
  | { state: 'deleted' }
  | { state: 'changed'; now: KnownBasis }

type SaveOutcome =
  | { state: 'saved' }
  /** Somebody else saved in between: the row as it is now. */
  | { state: 'changed'; row: Resource }
  | Exclude<Trouble, { state: 'changed' }>

/** It went well. */
export interface Saved {
  state: 'saved'
  title: string
  /** Fields that hold what somebody else saved meanwhile. */
  taken: readonly FieldName[]
}

/** Saves what the form sends: the action of the routes that show it. */
export async function saveAction({ request }: { request: Request }): Promise<Saved | Trouble> {
  const { basis, fields, draft } = saveInput.parse(await request.json())
  const { outcome, merged, taken } = await saveMerged(basis, fields)
  const trouble = troubleOf(outcome)
  if (trouble) return trouble
  // Also when the form was left meanwhile.
  await dropDraft(draft).catch((error) => console.warn('A draft could not be removed:', error))
  return { state: 'saved', title: merged.title.trim(), taken }
}

interface Merged {
  outcome: SaveOutcome
  merged: ResourceFields
  taken: readonly FieldName[]
}

/** What only somebody else changed is taken over without asking; where both changed a field, nothing is written. */
async function saveMerged(
  basis: Basis,
  fields: ResourceFields,
  before: readonly FieldName[] = [],
): Promise<Merged> {
  const outcome = await saveResource(basis, fields)
  if (outcome.state !== 'changed') return { outcome, merged: fields, taken: before }
  const theirs = fieldsOf(outcome.row)
  const base = basis.updatedAt === null ? null : basis.fields
  const merge = mergeFields({ base, mine: fields, theirs })
  if (merge.conflicts.length > 0) return { outcome, merged: fields, taken: before }
  const now = { id: basis.id, updatedAt: outcome.row.updated_at, fields: theirs }
  return saveMerged(now, merge.fields, [...new Set([...before, ...merge.taken])])
}

function troubleOf(outcome: SaveOutcome): Trouble | null {
  if (outcome.state === 'saved') return null
  if (outcome.state !== 'changed') return outcome
  const { id, updated_at: updatedAt } = outcome.row
  return { state: 'changed', now: { id, updatedAt, fields: fieldsOf(outcome.row) } }
}

/** Saves what the form holds (specification, section 7). Never throws, and never overwrites what the admin has not seen. */
async function saveResource(basis: Basis, fields: ResourceFields): Promise<SaveOutcome> {
  try {
    return basis.updatedAt === null
      ? await insert(basis.id, fields)
      : await update(basis, basis.updatedAt, fields)
  } catch (error) {
    return failed({ message: String(error), code: '' }, 0)
  }
}

async function insert(id: string, fields: ResourceFields): Promise<SaveOutcome> {
  const { library } = await openSession()
  const row = newRow(id, fields)
  const { error, status } = await library.from('resources').insert(row)
  if (!error) return { state: 'saved' }
  // An earlier try arrived although its answer did not.
  return error.code === '23505' ? compare(id, { sent: fieldsOf(row) }) : failed(error, status)
}

async function update(basis: Basis, updatedAt: string, fields: ResourceFields): Promise<SaveOutcome> {
  const { library } = await openSession()
  const { data, error, status } = await library
    .from('resources')
    .update(changedRow(fields, basis.fields, localDate(new Date())))
    .eq('id', basis.id)
    .eq('updated_at', updatedAt)
    .select('id')
  if (error) return failed(error, status)
  if (data.length > 0) return { state: 'saved' }
  return compare(basis.id, { loaded: updatedAt })
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

const NO_ROOM =
  'There is no room left on the server’s disk, so nothing can be saved at the moment; what you typed is kept. Ask whoever looks after the server to make room, then save again.'
/** PostgreSQL's own code for it, and the one of a database that takes no changes: a hosted project becomes so when it is full. */
const noRoomCodes = ['53100', '25006']

/** The server's own message (section 8). Without a session it is refused as a visitor's, which says nothing of use. */
function failed(error: { message: string; code: string }, status: number): SaveOutcome {
  if (status === 401 || !currentMember()) return { state: 'signed-out' }
  if (status === 0) console.error(error.message)
  if (noRoomCodes.includes(error.code)) return { state: 'failed', message: NO_ROOM }
  return { state: 'failed', message: status === 0 ? UNREACHABLE : error.message }
}

/** What the form begins with. */
export interface FormStart {
  id: string
  fields: ResourceFields
  /** When the row was last changed; null: there is none yet. */
  updatedAt: string | null
  /** The stored body is not what it should be. */
  isUndecodable: boolean
}

/** The form of a new resource. @param category from the address; anything that cannot be created is a reading */
export const startNew = (category: string | null, today: string): FormStart => ({
  id: newId(),
  fields: defaultFields(isCreatable(category) ? category : 'reading', today),
  updatedAt: null,
  isUndecodable: false,
})

/** The form of a resource that is there, or why it cannot be shown, in the server's words (specification, section 8). */
export async function findEditable(library: Library, id: string): Promise<FormStart | { failure: string }> {
  const { data, error } = await library.from('resources').select().eq('id', id).single()
  if (error) return { failure: notThere.has(error.code) ? 'Resource not found.' : error.message }
  return {
    id,
    fields: fieldsOf(data),
    updatedAt: data.updated_at,
    isUndecodable: decodeArticle(data.article_content).state === 'undecodable',
  }
}

/** No row; or what stands in the address cannot be an id. */
const notThere = new Set(['PGRST116', '22P02'])

/**
 * What the member typed in this browser and never saved: into forms of new resources, or for the one that is edited.
 * What says the same as the row does by now is no draft any more.
 */
export async function findOffers(start: FormStart, member: string): Promise<Draft[]> {
  const drafts = await findDrafts(member)
  if (start.updatedAt === null) return drafts.filter(({ basedOn }) => basedOn === null)
  return drafts.filter(
    ({ id, basedOn, fields }) =>
      basedOn !== null && id === start.id && changedFields(fields, start.fields).length > 0,
  )
}

/** The form of a new resource that begins with a draft; one of a resource that is gone by now gets a new id. */
export function startWith(draft: Draft, today: string): FormStart {
  const start = startNew(null, today)
  const id = draft.basedOn === null ? draft.id : start.id
  return { ...start, id, fields: defaultFields(draft.fields.category, today) }
}
