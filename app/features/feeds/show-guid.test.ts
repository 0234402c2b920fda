import { expect, it } from 'vitest'
import { showGuid } from './podcast-feed.ts'

// Published identities of two feeds, from the podcast namespace's own documentation.
it.each([
  ['https://mp3s.nashownotes.com/pc20rss.xml', '917393e3-1b1e-5cef-ace4-edaa54e1f810'],
  ['http://podnews.net/rss/', '9b024349-ccf0-5f69-a609-6b82873eab3c'],
])('gives the show behind %s the identity that everybody computes for it', (address, guid) => {
  expect(showGuid(address)).toBe(guid)
})
