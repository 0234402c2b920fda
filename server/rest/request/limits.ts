/** What one request may ask for. Each keeps a client's text from reaching a limit of PostgreSQL, which would be a 500. */
export const limits = {
  /** Longest address, in bytes. */
  address: 16 * 1024,
  /** Largest body, in bytes: an article from Word can carry its pictures inside. */
  body: 10 * 1024 * 1024,
  /** Deepest nesting of and/or trees, embeds, JSON paths and JSON bodies. */
  nesting: 100,
  /** Longest lists in select and order; both together stay below PostgreSQL's 1,664 columns. */
  list: 800,
} as const
