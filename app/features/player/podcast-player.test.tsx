import { renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { PodcastPlayer } from './podcast-player.tsx'

const episode = {
  id: '4af4cd6d-8a3b-4d38-b150-268e32f5302e',
  title: 'Listening & "fixing"',
  audioUrl: '/audio/walk.mp3?a=1&b=2',
  duration: 160,
  lastPlayedPosition: 40,
}

describe('the HTML a server sends for a podcast', () => {
  it('plays without JavaScript, in the browser’s own player', () => {
    const html = renderToString(<PodcastPlayer resource={episode} />)
    const [, fallback] = /<noscript>(.*)<\/noscript>/.exec(html) ?? []
    expect(fallback).toContain('controls=""')
    expect(fallback).toContain('src="/audio/walk.mp3?a=1&amp;b=2"')
  })

  it('asks for the length in the full player, and for nothing at all on a card', () => {
    expect(renderToString(<PodcastPlayer resource={episode} />)).toContain('preload="metadata"')
    const card = renderToString(<PodcastPlayer compact resource={episode} />)
    expect(card).not.toContain('preload="metadata"')
    expect(card.match(/preload="none"/g)).toHaveLength(2)
  })

  it('shows the length before anything is loaded, and begins at 0, as the browser will', () => {
    const html = renderToString(<PodcastPlayer resource={episode} />)
    expect(html).toContain('<span>0:00</span>')
    expect(html).toContain('<span>2:40</span>')
    expect(html).toContain('aria-valuetext="0 seconds of 2 minutes 40 seconds"')
  })

  it('carries no inline style, which a strict content policy would refuse', () => {
    expect(renderToString(<PodcastPlayer resource={episode} />)).not.toContain('style=')
  })

  it('says so when there is no recording', () => {
    const html = renderToString(<PodcastPlayer resource={{ ...episode, audioUrl: null }} />)
    expect(html).toContain('This recording can&#x27;t be played right now.')
    expect(html).not.toContain('<audio')
  })
})
