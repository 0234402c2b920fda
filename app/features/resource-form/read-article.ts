import type { ResourceFields } from '#domain/resource-form/fields.ts'

type ReadArticle = { change: Partial<ResourceFields>; notes: readonly string[] } | { failure: string }

/**
 * What a file changes in the form (specification, section 5): the article, the title and description that Word marks as
 * such, and the link while that is empty. What merely looks like a title in other HTML only fills empty fields. The
 * reading time follows the new text.
 */
export async function readArticle(file: File, fields: ResourceFields): Promise<ReadArticle> {
  try {
    // Word import is large, and most visits to the form need none.
    const { importArticleFile } = await import('#domain/import/import-article.ts')
    const found = await importArticleFile(file)
    const takes = (name: 'title' | 'description') => found.word || !fields[name].trim()
    const change: Partial<ResourceFields> = {
      article: found.html,
      duration: '',
      ...(found.title && takes('title') && { title: found.title }),
      ...(found.description && takes('description') && { description: found.description }),
      ...(!fields.link.trim() && { link: found.link }),
    }
    return { change, notes: found.notes }
  } catch (error) {
    const isOurs = error instanceof Error && error.name === 'ImportError'
    return { failure: isOurs ? error.message : 'Error reading file' }
  }
}
