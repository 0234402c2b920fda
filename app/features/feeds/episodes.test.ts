import { describe, expect, it } from 'vitest'
import { serverLibrary } from '#app/session/client/library.ts'
import { newestEpisodes } from './podcast-feed.ts'
import { absoluteFor } from './reading-feed.ts'

const url = 'https://site.example'
const settings = {
  siteUrl: url,
  apiUrl: url,
  publishableKey: 'sb_publishable_x',
  contactEmail: 'hello@example.org',
  earlyAccess: true,
  backups: 'nightly' as const,
}
const episode = (id: string, audioUrl: string) => ({
  id,
  title: id,
  description: '',
  date: '2026-01-01',
  duration: 60,
  audioUrl,
  image_url: null,
})

/** The episodes of a library with these rows, and every address that was asked on the way. */
async function episodesOf(rows: unknown, { status = 200 } = {}) {
  const asked: string[] = []
  const fetch = async (input: RequestInfo | URL, init?: RequestInit) => {
    const address = input instanceof Request ? input.url : String(input)
    asked.push(`${init?.method ?? 'GET'} ${new URL(address).pathname}`)
    if (address.includes('/rest/v1/')) return Response.json(rows, { status })
    if (address.includes('missing')) return new Response(null, { status: 400 })
    return new Response(null, { headers: { 'content-length': '1234', 'content-type': 'audio/ogg' } })
  }
  const api = { url, fetch }
  const episodes = await newestEpisodes(serverLibrary({ settings, api }), api, absoluteFor(settings))
  return { episodes, asked }
}

describe('newestEpisodes', () => {
  it('asks our own storage for the length and type of a recording', async () => {
    const { episodes, asked } = await episodesOf([episode('a', '/storage/v1/object/public/audio/a.ogg')])
    expect(asked).toContain('HEAD /storage/v1/object/public/audio/a.ogg')
    expect(episodes[0]?.enclosure).toEqual({
      url: `${url}/storage/v1/object/public/audio/a.ogg`,
      length: 1234,
      type: 'audio/ogg',
    })
  })

  it('never calls an address outside, and tells its type by the ending', async () => {
    const { episodes, asked } = await episodesOf([episode('a', 'https://elsewhere.example/a.M4A?x=1')])
    expect(asked).toEqual(['GET /rest/v1/resources'])
    expect(episodes[0]?.enclosure).toEqual({
      url: 'https://elsewhere.example/a.M4A?x=1',
      length: 0,
      type: 'audio/mp4',
    })
  })

  it.each(['/storage/v1/object/public/audio/missing.mp3', 'javascript:alert(1)', 'http://'])(
    'leaves out an episode whose recording is %j',
    async (audioUrl) => {
      const { episodes } = await episodesOf([
        episode('a', audioUrl),
        episode('b', '/storage/v1/object/public/audio/b.mp3'),
      ])
      expect(episodes.map(({ id }) => id)).toEqual(['b'])
    },
  )

  it('answers 503 when the library does not answer, so that apps keep what they have', async () => {
    const failure = await episodesOf({ message: 'down' }, { status: 503 }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Response)
    expect(failure).toMatchObject({ status: 503 })
  })
})
