import { expect, test } from 'vitest'
import { pageSizeFrom, speedFrom, viewModeFrom } from './preferences.ts'

test.each([
  ['list', 'list'],
  ['card', 'card'],
  ['grid', 'card'],
  ['LIST', 'card'],
  ['', 'card'],
  [null, 'card'],
  [undefined, 'card'],
  [{}, 'card'],
])('a stored view mode %j reads as %s', (stored, view) => expect(viewModeFrom(stored)).toBe(view))

test.each([
  ['4', 4],
  ['8', 8],
  ['12', 12],
  ['16', 16],
  ['24', 24],
  ['48', 48],
  [24, 24],
  ['10', 8],
  ['012', 8],
  ['12 ', 8],
  ['1e1', 8],
  ['', 8],
  [null, 8],
  [Number.NaN, 8],
])('a stored page size %j reads as %i', (stored, size) => expect(pageSizeFrom(stored)).toBe(size))

test.each([
  ['0.5', 0.5],
  ['0.75', 0.75],
  ['1', 1],
  ['1.25', 1.25],
  [1.5, 1.5],
  ['2', 2],
  ['3', 1],
  ['fast', 1],
  [null, 1],
])('a stored speed %j reads as %d', (stored, speed) => expect(speedFrom(stored)).toBe(speed))

test('a listing without a page size of its own takes the preferred one', () => {
  expect(pageSizeFrom(null, 24)).toBe(24)
  expect(viewModeFrom('nonsense', 'list')).toBe('list')
})
