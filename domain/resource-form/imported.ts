import type { FieldName, ResourceFields } from './fields.ts'

/** What a file can bring to the form. */
interface Found {
  html: string
  title?: string
  description?: string
  /** For a link field that is empty. */
  link: string
}

/** What an uploaded file would change: what fills empty fields, and what would take the place of something typed. */
export interface ImportedFields {
  fills: Partial<ResourceFields>
  replaces: Partial<Pick<ResourceFields, ReplaceableName>>
}

export const replaceableNames = ['title', 'description', 'article', 'duration'] as const
export type ReplaceableName = (typeof replaceableNames)[number]

/**
 * Sorts what a file brings (specification, section 5): the article, its title and description, and the link while that is
 * empty. A typed duration gives way to the estimate only when somebody says so.
 */
export function importedFields(found: Found, fields: ResourceFields): ImportedFields {
  const brought: Partial<Record<FieldName, string>> = {
    ...(found.title && { title: found.title }),
    ...(found.description && { description: found.description }),
    article: found.html,
    duration: '',
    ...(!fields.link.trim() && { link: found.link }),
  }
  const isEmpty = (name: FieldName) => String(fields[name]).trim() === ''
  const entries = Object.entries(brought) as [FieldName, string][]
  const changed = entries.filter(([name, value]) => fields[name] !== value)
  return {
    fills: Object.fromEntries(changed.filter(([name]) => isEmpty(name))),
    replaces: Object.fromEntries(changed.filter(([name]) => !isEmpty(name))),
  }
}
