/** The five kinds of resource, in the order of the specification (section 1). */
export const categories = ['reading', 'webinar', 'podcast', 'community', 'session'] as const

export type Category = (typeof categories)[number]

/** Whether a text, for example from an address, names a category. */
export const isCategory = (text: unknown): text is Category =>
  categories.some((category) => category === text)

/** What a card or a badge calls one resource of the category (section 2). */
export const categoryLabels: Readonly<Record<Category, string>> = {
  reading: 'Reading',
  webinar: 'Webinar',
  podcast: 'Podcast',
  community: 'Community',
  session: '1:1 Session',
}

/** The links of the header and footer, in their order (section 2, shared chrome). */
export const navigation: readonly { category: Category; label: string }[] = [
  { category: 'reading', label: 'Reading' },
  { category: 'podcast', label: 'Podcasts' },
  { category: 'webinar', label: 'Webinars' },
  { category: 'community', label: 'Community' },
  { category: 'session', label: '1:1 Sessions' },
]

/** Title and one-sentence blurb of each listing; `all` is the listing of everything. */
export const listingTexts: Readonly<Record<Category | 'all', { title: string; blurb: string }>> = {
  all: {
    title: 'All Resources',
    blurb: 'Everything in the library in one place, for the years between nine and seventeen.',
  },
  reading: {
    title: 'Reading Resources',
    blurb: 'Short, honest articles with words you can use tonight and a sense of when to ask for help.',
  },
  webinar: {
    title: 'Webinars',
    blurb: 'Workshops and live Q&As with people who know these years well, and time for your own questions.',
  },
  podcast: {
    title: 'Podcasts',
    blurb: 'A few unhurried minutes to listen to on the school run, on a walk or over the dishes.',
  },
  community: {
    title: 'Community Groups',
    blurb: 'Anonymous, moderated groups where parents can say what is hard and hear that they are not alone.',
  },
  session: {
    title: 'One-on-One Sessions',
    blurb: 'A private conversation with an expert about your child, your family and your next step.',
  },
}

/** Whom a resource is for, in the order of the filter's options (specification, section 9). */
export const genders = ['all', 'female', 'male', 'other'] as const

export type Gender = (typeof genders)[number]

/** Whether a text, for example from an address, names a gender. */
export const isGender = (text: unknown): text is Gender => genders.some((gender) => gender === text)

export const genderLabels: Readonly<Record<Gender, string>> = {
  all: 'All',
  female: 'Female',
  male: 'Male',
  other: 'Other',
}

/**
 * The values a resource may have to pass a gender filter: the chosen one or "all" (section 5). A resource
 * without a gender passes none.
 */
export const gendersFor = (chosen: Gender): readonly Gender[] =>
  chosen === 'all' ? ['all'] : [chosen, 'all']

/** Whether a resource of this gender passes the filter. */
export const matchesGender = (resource: string | null, chosen: Gender) =>
  gendersFor(chosen).some((gender) => gender === resource)

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
