// What a request says about the answer that it can use.

/** Whether a person's browser asks, who is better served by a page than by JSON. `accept`: the header. */
export const acceptsHtml = (accept: string | null | undefined): boolean =>
  accept?.includes('text/html') ?? false

/** Whether the client holds this very answer: If-None-Match by weak comparison (RFC 9110, 13.1.2). `etag` is strong, with its quotes. */
export const holdsEtag = (ifNoneMatch: string | null | undefined, etag: string): boolean =>
  ifNoneMatch === '*' ||
  (ifNoneMatch?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) ?? false)
