interface Ordered<Query> {
  order(column: string, options?: { ascending?: boolean }): Query
}

/**
 * The order of every listing: featured first, the newest first, then title and id so that pages never overlap.
 * `backwards` begins at the end.
 */
export const inListingOrder = <Query extends Ordered<Query>>(
  rows: Query,
  { backwards = false }: { backwards?: boolean } = {},
): Query =>
  rows
    .order('featured', { ascending: backwards })
    .order('date', { ascending: backwards })
    .order('title', { ascending: !backwards })
    .order('id', { ascending: !backwards })
