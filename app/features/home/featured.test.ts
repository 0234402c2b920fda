import { expect, it } from 'vitest'
import { serverLibrary } from '#app/session/client/library.ts'
import { findFeatured } from './featured.tsx'

const url = 'https://site.example'
const settings = {
  siteUrl: url,
  apiUrl: url,
  publishableKey: 'k',
  contactEmail: '',
  earlyAccess: true,
  backups: 'nightly' as const,
}
const libraryThat = (answers: typeof fetch) => serverLibrary({ settings, api: { url, fetch: answers } })

it('asks for the three newest public featured resources, and never for article bodies', async () => {
  let asked = new URL(url)
  await findFeatured(
    libraryThat(async (input) => {
      asked = new URL(String(input))
      return Response.json([])
    }),
  )
  expect(Object.fromEntries(asked.searchParams)).toEqual({
    select: 'id,title,description,category,duration,image_url,image_alt',
    public: 'eq.true',
    featured: 'eq.true',
    order: 'date.desc,title.asc,id.asc',
    limit: '3',
  })
})

it.each<[string, typeof fetch]>([
  ['answers with an error', async () => Response.json({ message: 'down' }, { status: 503 })],
  ['cannot be reached', async () => Promise.reject(new TypeError('fetch failed'))],
])('gives nothing instead of failing when the library %s', async (_situation, answers) => {
  expect(await findFeatured(libraryThat(answers))).toBeNull()
})
