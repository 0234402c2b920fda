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
