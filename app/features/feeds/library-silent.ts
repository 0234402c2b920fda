/** The library did not answer: readers of a feed shall keep what they have, and come again in a minute. */
export const librarySilent = (): Response =>
  new Response('The library cannot be reached right now.', {
    status: 503,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Retry-After': '60' },
  })
