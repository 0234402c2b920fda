import type { ResourceSummary } from '#domain/resource.ts'

/** The columns that the home page shows of a resource. */
export const featuredColumns = 'id,title,description,category,duration,image_url,image_alt'

export type FeaturedResource = Pick<
  ResourceSummary,
  'id' | 'title' | 'description' | 'category' | 'duration' | 'image_url' | 'image_alt'
>
