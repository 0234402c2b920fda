import { findDrafts } from '#app/session/client/draft-store.ts'
import type { Library } from '#app/session/client/library.ts'
import { decodeArticle } from '#domain/article/encoding.ts'
import type { Draft } from '#domain/resource-form/draft.ts'
import {
  changedFields,
  defaultFields,
  fieldsOf,
  isCreatable,
  type ResourceFields,
} from '#domain/resource-form/fields.ts'

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

/** An id for a resource that is about to be made. Browsers offer `randomUUID` on https and localhost only. */
export function newId(): string {
  if (crypto.randomUUID) return crypto.randomUUID()
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const fixed = bytes.with(6, ((bytes[6] ?? 0) & 0x0f) | 0x40).with(8, ((bytes[8] ?? 0) & 0x3f) | 0x80)
  const hex = Array.from(fixed, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
