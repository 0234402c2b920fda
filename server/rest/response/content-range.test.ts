import { expect, test } from 'vitest'
import { contentRange, rangeStatus } from '../response.ts'

test.each([
  [{ offset: 0, page: 10 }, '0-9/*', 200],
  [{ offset: 0, page: 10, total: 100 }, '0-9/100', 206],
  [{ offset: 90, page: 10, total: 100 }, '90-99/100', 206],
  [{ offset: 0, page: 100, total: 100 }, '0-99/100', 200],
  [{ offset: 0, page: 0 }, '*/*', 200],
  [{ offset: 0, page: 0, total: 0 }, '*/0', 200],
  [{ offset: 0, page: 0, total: 5 }, '*/5', 206],
  [{ offset: 5, page: 0, total: 5 }, '*/5', 206],
  [{ offset: 6, page: 0, total: 5 }, '*/5', 416],
  [{ offset: 1, page: 0, total: 0 }, '*/0', 416],
  [{ offset: 0, page: 3, total: 2 }, '0-2/2', 200],
])('%j is %s with status %i', (counts, header, status) => {
  expect(contentRange(counts)).toBe(header)
  expect(rangeStatus(counts)).toBe(status)
})
