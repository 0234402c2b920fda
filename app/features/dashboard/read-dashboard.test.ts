import { expect, it } from 'vitest'
import { readShown, type Shown, shownAddress } from './read-dashboard.ts'

it.each<[address: string, shown: Shown]>([
  ['/admin', { kind: 'recent', page: 1 }],
  ['/admin?show=private', { kind: 'private', page: 1 }],
  ['/admin?show=featured&page=3', { kind: 'featured', page: 3 }],
])('the address %s shows %j, and the other way round', (address, shown) => {
  expect(readShown(new URL(address, 'http://x').searchParams)).toEqual(shown)
  expect(shownAddress(shown)).toBe(address)
})

it.each([['show=everything'], ['show=recent&page=-1'], ['page=x'], ['page=1.5'], ['page=1e9'], ['page=']])(
  'what it does not understand shows the recent changes: %s',
  (search) => {
    expect(readShown(new URLSearchParams(search))).toEqual({ kind: 'recent', page: 1 })
  },
)
