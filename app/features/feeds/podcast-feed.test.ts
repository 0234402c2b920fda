import { describe, expect, it } from 'vitest'
import { type Episode, podcastFeed } from './podcast-feed.ts'

const absolute = (address: string) => `https://site.example${address}`
const episode: Episode = {
  id: '1b77fe66-6fee-4d91-af55-45555a1faa7c',
  title: 'Tea & <toast>',
  description: 'A short one.',
  date: '2026-08-14',
  duration: 92.6,
  audioUrl: '/storage/v1/object/public/audio/a.mp3',
  image_url: null,
  enclosure: { url: 'https://site.example/a.mp3', length: 1234, type: 'audio/mpeg' },
}
const feed = podcastFeed([episode], { absolute, contactEmail: 'hello@example.org', guid: 'the-guid' })

describe('podcastFeed', () => {
  // What Apple and Podcasting 2.0 ask of a show, and of an episode.
  it.each([
    '<itunes:author>Walking Together</itunes:author>',
    '<itunes:owner><itunes:name>Walking Together</itunes:name><itunes:email>hello@example.org</itunes:email></itunes:owner>',
    '<itunes:image href="https://site.example/podcast-cover.png"/>',
    '<itunes:category text="Kids &amp; Family"><itunes:category text="Parenting"/></itunes:category>',
    '<itunes:explicit>false</itunes:explicit>',
    '<itunes:type>episodic</itunes:type>',
    '<podcast:guid>the-guid</podcast:guid>',
    '<podcast:locked owner="hello@example.org">no</podcast:locked>',
    '<atom:link href="https://site.example/podcast.xml" rel="self" type="application/rss+xml"/>',
    '<title>Tea &amp; &lt;toast&gt;</title>',
    '<enclosure url="https://site.example/a.mp3" length="1234" type="audio/mpeg"/>',
    '<guid isPermaLink="false">1b77fe66-6fee-4d91-af55-45555a1faa7c</guid>',
    '<pubDate>Fri, 14 Aug 2026 00:00:00 GMT</pubDate>',
    '<itunes:duration>93</itunes:duration>',
  ])('says %s', (tag) => {
    expect(feed).toContain(tag)
  })

  it('gives an episode a picture of its own only when it has one', () => {
    const item = (xml: string) => xml.slice(xml.indexOf('<item>'))
    expect(item(feed)).not.toContain('itunes:image')
    const pictured = podcastFeed([{ ...episode, image_url: '/p.png' }], {
      absolute,
      contactEmail: '',
      guid: '',
    })
    expect(item(pictured)).toContain('<itunes:image href="https://site.example/p.png"/>')
  })
})
