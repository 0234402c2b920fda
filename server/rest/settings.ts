/** What the operator decides (REST_SCHEMAS, REST_MAX_ROWS, REST_AGGREGATES, REST_PLANS). */
export interface RestSettings {
  schemas: string[]
  maxRows: number
  aggregates: boolean
  plans: boolean
}

/** What one request may ask for. Each keeps a client's text from reaching a limit of PostgreSQL, which would be a 500. */
export const limits = {
  /** Longest address, in bytes. */
  address: 16 * 1024,
  /** Largest body, in bytes: an article from Word can carry its pictures inside. */
  body: 10 * 1024 * 1024,
  /** Largest body of somebody who is not signed in: whoever may write is. */
  visitorBody: 64 * 1024,
  /** Largest answer, in bytes. */
  answer: 32 * 1024 * 1024,
  /** How often one column, or one place in it, may be asked for: by another name or type it is read again. */
  sameColumn: 8,
  /** How many regular expressions a visitor may match by: each costs as much as all other filters together. */
  visitorPatterns: 4,
  /** Deepest nesting of and/or trees, embeds, JSON paths and JSON bodies. */
  nesting: 100,
  /** Longest lists in select and order; both together stay below PostgreSQL's 1,664 columns. */
  list: 800,
} as const
