interface Ordered<Query> {
  order(column: string, options?: { ascending?: boolean }): Query
}

/** The order of every listing: featured first, the newest first, then title and id so that pages never overlap. */
export const inListingOrder = <Query extends Ordered<Query>>(rows: Query): Query =>
  rows.order('featured', { ascending: false }).order('date', { ascending: false }).order('title').order('id')
