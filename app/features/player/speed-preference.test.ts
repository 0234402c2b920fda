import { describe, expect, it, test, vi } from 'vitest'
import { emptyStorage } from './memory-storage.ts'
import { createSessionStore } from './session-store.ts'
import { createSpeedPreference, speedKey } from './speed-preference.ts'

const storing = (text: string) => {
  const store = createSessionStore(emptyStorage())
  store.write(speedKey, text)
  return store
}

test.each([
  ['0.5', 0.5],
  ['1.25', 1.25],
  ['2', 2],
  ['3', 1],
  ['fast', 1],
  ['', 1],
  ['-1', 1],
])('a stored speed of %j is read as %d', (stored, speed) => {
  expect(createSpeedPreference(storing(stored)).read()).toBe(speed)
})

describe('the podcast speed', () => {
  it('is 1 until somebody chooses another', () => {
    expect(createSpeedPreference(createSessionStore(emptyStorage())).read()).toBe(1)
  })

  it('is kept in the session and told to every player on the page', () => {
    const store = createSessionStore(emptyStorage())
    const preference = createSpeedPreference(store)
    const listener = vi.fn()
    const unsubscribe = preference.subscribe(listener)
    preference.choose(1.5)
    expect(listener).toHaveBeenCalledOnce()
    expect(preference.read()).toBe(1.5)
    expect(createSpeedPreference(store).read()).toBe(1.5)
    unsubscribe()
    preference.choose(2)
    expect(listener).toHaveBeenCalledOnce()
  })

  it('can be chosen where nothing can be stored', () => {
    const preference = createSpeedPreference(
      createSessionStore(() => {
        throw new DOMException('blocked', 'SecurityError')
      }),
    )
    preference.choose(0.75)
    expect(preference.read()).toBe(0.75)
  })
})
