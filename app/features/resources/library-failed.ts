import { data } from 'react-router'

/** The library did not answer, or not as expected; the cause is for the log. */
export class LibraryFailed extends Error {
  constructor(cause: unknown) {
    super('The library did not answer', { cause })
    this.name = 'LibraryFailed'
  }
}

/**
 * What a loader throws in place of an error: 503, which no cache keeps, when the library failed. Its cause is only
 * logged (specification, section 8). Any other error stays what it is.
 */
export function unavailable(error: unknown): unknown {
  if (!(error instanceof LibraryFailed)) return error
  console.error(error.message, error.cause)
  return data(null, { status: 503 })
}
