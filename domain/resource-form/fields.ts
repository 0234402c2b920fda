import type { Category } from '#domain/category.ts'
import type { Gender } from '#domain/gender.ts'
import { readingTime } from '#domain/reading-time.ts'
import type { Resource } from '#domain/resource.ts'
import { decodeArticle } from '../article/encoding.ts'

/** What an admin types and chooses (specification, section 3). Texts stay as they were typed until they are saved. */
export interface ResourceFields {
  title: string
  description: string
  category: Category
  image_url: string
  image_alt: string
  audioUrl: string
  /** HTML, decoded. */
  article: string
  grade: string
  gender: Gender | ''
  location: string
  link: string
  /** yyyy-mm-dd */
  date: string
  /** Whole seconds; empty: the estimate of a reading, 0 for anything else. */
  duration: string
  public: boolean
  featured: boolean
}

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
export type StoredFields = Omit<Resource, 'created_at' | 'updated_at' | 'lastPlayedPosition'>

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
