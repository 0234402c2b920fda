import { expect, it } from 'vitest'
import { dataAddress } from './prefetch-data.tsx'

it.each([
  ['/resources', '/resources.data?_routes=routes%2Flisting'],
  ['/resources/podcast?page=2', '/resources/podcast.data?page=2&_routes=routes%2Flisting'],
  ['?q=sleep', '/resources.data?q=sleep&_routes=routes%2Flisting'],
  ['/resource/3f0c', '/resource/3f0c.data?_routes=routes%2Fdetail'],
  ['/about', null],
  ['/resources/edit/3f0c', null],
  ['https://elsewhere.example/resources', null],
  ['mailto:hello@example.org', null],
  ['http://', null],
])('the data of %j is at %j', (link, address) => {
  expect(dataAddress(link, 'https://site.example/resources?page=3')).toBe(address)
})
