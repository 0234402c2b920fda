import * as z from 'zod/mini'
import { encodeArticle } from '#domain/article/encoding.ts'
import { readingTime } from '#domain/article/text.ts'
import { longDate } from '#domain/dates.ts'
import { parseGrade } from '#domain/grade.ts'
import { type Category, categories, genders, type Resource, type ResourceSummary } from '#domain/resource.ts'
import { decodeArticle } from '../article/encoding.ts'

/** What an admin types and chooses (specification, section 3). Texts stay as they were typed until they are saved. */
export const fieldsShape = z.object({
  title: z.string(),
  description: z.string(),
  category: z.enum(categories),
  image_url: z.string(),
  image_alt: z.string(),
  audioUrl: z.string(),
  /** HTML, decoded. */
  article: z.string(),
  grade: z.string(),
  gender: z.union([z.enum(genders), z.literal('')]),
  location: z.string(),
  link: z.string(),
  /** yyyy-mm-dd */
  date: z.string(),
  /** Whole seconds; empty: the estimate of a reading, 0 for anything else. */
  duration: z.string(),
  public: z.boolean(),
  featured: z.boolean(),
})

export type ResourceFields = z.infer<typeof fieldsShape>
export type FieldName = keyof ResourceFields

/** What the form calls its fields. */
export const fieldLabels: Readonly<Record<FieldName, string>> = {
  title: 'Title',
  description: 'Description',
  category: 'Category',
  image_url: 'Image URL',
  image_alt: 'Alt text',
  audioUrl: 'Audio URL',
  article: 'Article',
  grade: 'Grade',
  gender: 'Gender',
  location: 'Location',
  link: 'Link',
  date: 'Date',
  duration: 'Duration in seconds',
  public: 'Public',
  featured: 'Featured',
}

/** The columns of a resource that the form writes. */
type StoredFields = Omit<Resource, 'created_at' | 'updated_at' | 'lastPlayedPosition'>

/** What can be created today (section 1). */
export const creatableCategories = ['reading', 'podcast'] as const

type CreatableCategory = (typeof creatableCategories)[number]

/** Whether a text, for example from an address, names what can be created. */
export const isCreatable = (text: unknown): text is CreatableCategory =>
  creatableCategories.some((category) => category === text)

/** The logo that stands for a reading's picture until there is one (section 4). */
export const placeholderImage = '/reading-placeholder.png'

/** How the form of a category begins (section 4). @param date the day it keeps */
export const defaultFields = (category: Category, date: string): ResourceFields => ({
  title: '',
  description: '',
  category,
  image_url: category === 'reading' ? placeholderImage : '',
  image_alt: '',
  audioUrl: '',
  article: '',
  grade: 'K-12',
  gender: 'all',
  location: '',
  link: '',
  date,
  duration: '',
  public: true,
  featured: false,
})

/** A stored resource as the form shows it. A body that cannot be read is left empty, and stays as it is when saved. */
export function fieldsOf(resource: StoredFields): ResourceFields {
  const body = decodeArticle(resource.article_content)
  const article = body.state === 'html' ? body.html : ''
  return {
    title: resource.title,
    description: resource.description,
    category: resource.category,
    image_url: resource.image_url ?? '',
    image_alt: resource.image_alt ?? '',
    audioUrl: resource.audioUrl ?? '',
    article,
    grade: resource.grade ?? '',
    gender: resource.gender ?? '',
    location: resource.location ?? '',
    link: resource.link ?? '',
    date: resource.date,
    duration: isEstimate(resource, article) ? '' : String(resource.duration),
    public: resource.public,
    featured: resource.featured,
  }
}

const isEstimate = ({ category, duration }: StoredFields, article: string) =>
  duration === (category === 'reading' ? readingTime(article) : 0)

/** The duration to save, in seconds: what was typed, or what a reading's text takes. */
export const secondsOf = ({ duration, category, article }: ResourceFields): number =>
  duration.trim() ? Number(duration) : category === 'reading' ? readingTime(article) : 0

/** The fields in which two states of a form differ, in the order of the form. */
export const changedFields = (one: ResourceFields, other: ResourceFields): FieldName[] =>
  (Object.keys(one) as FieldName[]).filter((name) => one[name] !== other[name])

export type Problems = Partial<Record<FieldName, string>>

const addressLimit = 2000
/** The column is a 32-bit integer. */
const maxSeconds = 2_147_483_647

const isBlank = (text: string) => text.trim() === ''

/** The message under the grade field (specification, section 5); undefined when the grade is right. */
export function gradeProblem(grade: string): string | undefined {
  const parsed = parseGrade(grade)
  return 'error' in parsed ? parsed.error : undefined
}

/** The database counts characters, not halves of them. */
const lengthOf = (text: unknown) => [...String(text).trim()].length

/** Text up to so many characters. @param missing what to say where it must not be empty */
const text = (name: string, limit: number, missing?: string) =>
  z.string().check(
    ...(missing ? [filled(missing)] : []),
    z.refine<string>((typed) => lengthOf(typed) <= limit, {
      error: ({ input }) => `${name} may have ${limit} characters at most; this has ${lengthOf(input)}.`,
    }),
  )

const filled = (error: string) => z.refine<string>((typed) => !isBlank(typed), { error, abort: true })

const address = (missing: string | false) =>
  z.string().check(
    ...(missing ? [filled(missing)] : []),
    z.refine<string>((typed) => isBlank(typed) || isAddress(typed.trim()), {
      error: 'Please enter an address that begins with https://',
    }),
  )

/** The rules of a category's form. The words for grades are the specification's (section 5), which leaves the others to us. */
const rulesOf = (category: Category) =>
  z.extend(fieldsShape, {
    title: text('A title', 300, 'Please enter a title.'),
    description: text('A description', 2000, 'Please enter a description.'),
    image_url: address(category === 'reading' && 'Please choose a picture.'),
    image_alt: text('An alt text', 500),
    audioUrl: address(category === 'podcast' && 'Please choose a recording.'),
    grade: z.string().check(
      z.refine((typed) => gradeProblem(typed) === undefined, {
        error: ({ input }) => gradeProblem(String(input)),
      }),
    ),
    location: text('A location', 200),
    link: text('A link', 2000),
    date: z.string().check(z.refine((typed) => longDate(typed) !== '', { error: 'Please enter a date.' })),
    duration: z
      .string()
      .check(z.refine(isDuration, { error: 'Please enter a whole number of seconds, 0 or more.' })),
  })

const rules = new Map<Category, ReturnType<typeof rulesOf>>()

/** What is wrong with each field, in the order of the form; no entry for a field that is right. */
export function findProblems(fields: ResourceFields): Problems {
  const { category } = fields
  const schema = rules.get(category) ?? rulesOf(category)
  rules.set(category, schema)
  const found = schema.safeParse(fields).error?.issues ?? []
  return Object.fromEntries(found.map(({ path, message }) => [path[0], message]))
}

/** Whether a page can load it. Pages load what is on the web over https only; what is the site's own has no origin (design, section 6). */
function isAddress(address: string): boolean {
  if (address.length > addressLimit || /\s/.test(address)) return false
  if (/^\/[^/\\]/.test(address)) return true
  return /^https?:\/\/[^/]/i.test(address) && URL.canParse(address)
}

function isDuration(text: string): boolean {
  return isBlank(text) || (/^\d{1,10}$/.test(text.trim()) && Number(text) <= maxSeconds)
}

/** What stands between the form and its submit button (section 5), as the form calls it. */
export function missingParts(fields: ResourceFields): string[] {
  return [
    isBlank(fields.title) && 'a title',
    isBlank(fields.description) && 'a description',
    gradeProblem(fields.grade) !== undefined && 'a grade that can be read',
    fields.category === 'reading' && isBlank(fields.image_url) && 'a picture',
    fields.category === 'podcast' && isBlank(fields.audioUrl) && 'a recording',
  ].filter((part): part is string => Boolean(part))
}

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
