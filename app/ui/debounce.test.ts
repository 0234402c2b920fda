import { beforeEach, expect, it, vi } from 'vitest'
import { debounce } from './debounce.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

it('runs once, a while after the last call, with what that one said', () => {
  const run = vi.fn()
  const search = debounce(run, 300)
  search('te')
  vi.advanceTimersByTime(299)
  search('teens')
  expect(search.isWaiting()).toBe(true)
  vi.advanceTimersByTime(300)
  expect(run.mock.calls).toEqual([['teens']])
  expect(search.isWaiting()).toBe(false)
})

it('forgets the call that waits when it is cancelled', () => {
  const run = vi.fn()
  const search = debounce(run, 300)
  search('teens')
  search.cancel()
  vi.advanceTimersByTime(300)
  expect(run).not.toHaveBeenCalled()
  expect(search.isWaiting()).toBe(false)
})
