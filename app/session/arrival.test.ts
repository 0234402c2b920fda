import { expect, it } from 'vitest'
import { type Arrival, readArrival } from './arrival.ts'

it.each<[hash: string, Arrival | null]>([
  ['', null],
  ['#saved', null],
  ['#access_token=a', null],
  ['#access_token=a&refresh_token=b&type=signup', { tokens: { access_token: 'a', refresh_token: 'b' } }],
  ['#error=access_denied&error_description=Link+has+expired', { problem: 'Link has expired' }],
  ['#error=server_error', { problem: 'server_error' }],
  ['#message=Confirm+the+other+mailbox&sb=', { message: 'Confirm the other mailbox' }],
  ['#message=not+ours', null],
])('a link with %j brings %j', (hash, arrival) => {
  expect(readArrival(hash)).toEqual(arrival)
})
