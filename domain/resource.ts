import type { Category } from './category.ts'
import type { Gender } from './gender.ts'

/** One thing in the library, named as the specification (section 3) and the table name it. */
export interface Resource {
  id: string
  title: string
  description: string
  category: Category
  image_url: string | null
  image_alt: string | null
  link: string | null
  /** yyyy-mm-dd */
  date: string
  /** A range such as "K-12". */
  grade: string | null
  gender: Gender | '' | null
  location: string | null
  public: boolean
  /** HTML, UTF-8, base64. */
  article_content: string | null
  audioUrl: string | null
  /** Seconds. */
  lastPlayedPosition: number | null
  /** Seconds: length of the audio, or estimated reading time. */
  duration: number
  featured: boolean
  created_at: string
  updated_at: string
}

/** What a listing reads: everything but the article's body, which can be megabytes. */
export type ResourceSummary = Omit<Resource, 'article_content'>

// An object, so that the compiler asks for every name and for no other.
const columns: Record<keyof ResourceSummary, true> = {
  id: true,
  title: true,
  description: true,
  category: true,
  image_url: true,
  image_alt: true,
  link: true,
  date: true,
  grade: true,
  gender: true,
  location: true,
  public: true,
  audioUrl: true,
  lastPlayedPosition: true,
  duration: true,
  featured: true,
  created_at: true,
  updated_at: true,
}

/** The select list of a `ResourceSummary`. */
export const summaryColumns = Object.keys(columns).join(',')
