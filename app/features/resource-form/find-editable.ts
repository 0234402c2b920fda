import type { Library } from '#app/session/library-client.ts'
import { decodeArticle } from '#domain/article/encoding.ts'
import { defaultFields, fieldsOf, isCreatable, type ResourceFields } from '#domain/resource-form/fields.ts'
import { newId } from './new-id.ts'

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
