import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub, Meta } from 'react-router'
import { describe, expect, it } from 'vitest'
import { absoluteAddress } from '#app/session/site.ts'
import { article, breadcrumbs, itemList, podcastEpisode } from './json-ld.ts'

const origins = { siteUrl: 'https://site.example', apiUrl: 'https://api.example' }
const absolute = (address: string) => absoluteAddress(address, origins)
const resource = {
  id: 'x',
  title: 'A title',
  description: 'About it',
  date: '2026-11-04',
  updated_at: '2026-11-05T00:00:00Z',
  duration: 270,
}

describe('article', () => {
  it('describes a reading', () => {
    const image_url = '/storage/v1/object/public/images/a.webp'
    expect(article({ ...resource, image_url })(absolute)).toMatchObject({
      '@type': 'Article',
      headline: 'A title',
      datePublished: '2026-11-04',
      timeRequired: 'PT4M30S',
      image: `https://api.example${image_url}`,
      mainEntityOfPage: 'https://site.example/resource/x',
    })
  })
})

describe('podcastEpisode', () => {
  it('names the recording and the show', () => {
    expect(podcastEpisode({ ...resource, audioUrl: '/storage/v1/a.mp3' })(absolute)).toMatchObject({
      '@type': 'PodcastEpisode',
      associatedMedia: { '@type': 'AudioObject', contentUrl: 'https://api.example/storage/v1/a.mp3' },
      partOfSeries: { '@type': 'PodcastSeries', webFeed: 'https://site.example/podcast.xml' },
    })
  })
})

describe('breadcrumbs and itemList', () => {
  it('count from one', () => {
    expect(breadcrumbs([{ name: 'About us', path: '/about' }])(absolute)).toMatchObject({
      itemListElement: [
        { position: 1, name: 'Home', item: 'https://site.example/' },
        { position: 2, name: 'About us', item: 'https://site.example/about' },
      ],
    })
    expect(itemList([resource])(absolute)).toMatchObject({
      itemListElement: [{ position: 1, url: 'https://site.example/resource/x' }],
    })
  })
})

it('cannot be ended by a title that closes the script', () => {
  const title = '</script><script>alert(1)</script>'
  const Page = createRoutesStub([
    {
      path: '/',
      Component: Meta,
      meta: () => [{ 'script:ld+json': article({ ...resource, title, image_url: null })(absolute) }],
    },
  ])
  const html = renderToStaticMarkup(<Page />)
  expect(html.match(/<\/script>/g)).toHaveLength(1)
  const data = JSON.parse(/<script[^>]*>(.*)<\/script>/.exec(html)?.[1] ?? '')
  expect(data.headline).toBe(title)
})
