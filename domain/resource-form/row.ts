import { encodeArticle } from '#domain/article/encoding.ts'
import { parseGrade } from '#domain/grade.ts'
import type { ResourceSummary } from '#domain/resource.ts'
import { type ResourceFields, type StoredFields, secondsOf } from './fields.ts'
import { isAddress } from './problems.ts'

const orNull = (text: string) => text.trim() || null

function columnsOf(fields: ResourceFields): Omit<StoredFields, 'id' | 'article_content'> {
  const grade = parseGrade(fields.grade)
  return {
    title: fields.title.trim(),
    description: fields.description.trim(),
    category: fields.category,
    image_url: orNull(fields.image_url),
    image_alt: orNull(fields.image_alt),
    audioUrl: orNull(fields.audioUrl),
    grade: 'text' in grade ? grade.text : fields.grade,
    gender: fields.gender,
    location: orNull(fields.location),
    link: orNull(fields.link),
    date: fields.date,
    duration: secondsOf(fields),
    public: fields.public,
    featured: fields.featured,
  }
}

const bodyOf = ({ article }: ResourceFields) => (article.trim() ? encodeArticle(article) : null)

/** The one row to insert (specification, section 7). Expects fields without problems. */
export const newRow = (id: string, fields: ResourceFields): StoredFields => ({
  id,
  ...columnsOf(fields),
  article_content: bodyOf(fields),
})

/**
 * What to update (section 7): the form's fields and today's date. The body is sent when it was changed only, so that
 * one that cannot be read is not lost, and one of megabytes does not travel for a comma in the title.
 */
export const changedRow = (
  fields: ResourceFields,
  before: ResourceFields | null,
  today: string,
): Partial<StoredFields> => ({
  ...columnsOf(fields),
  date: today,
  ...(fields.article !== before?.article && { article_content: bodyOf(fields) }),
})

/** What a reader would see of it. Half an address leads nowhere, so it is left out. */
export const asReadersSeeIt = (id: string, fields: ResourceFields): ResourceSummary => ({
  id,
  ...columnsOf(fields),
  image_url: isAddress(fields.image_url) ? fields.image_url : null,
  audioUrl: isAddress(fields.audioUrl) ? fields.audioUrl : null,
  lastPlayedPosition: null,
  created_at: '',
  updated_at: '',
})
