import { describe, expect, it, vi } from 'vitest'
import { createStore, safeStorage } from './store.ts'

describe('a store', () => {
  it('tells of every change, and to nobody who has stopped listening', () => {
    const store = createStore('before')
    const listener = vi.fn()
    const stop = store.subscribe(listener)
    store.set('after')
    expect(store.get()).toBe('after')
    expect(listener).toHaveBeenCalledOnce()
    stop()
    store.set('later')
    expect(listener).toHaveBeenCalledOnce()
  })

  it('loads its value once, when it is first asked for', () => {
    const load = vi.fn(() => 'stored')
    const store = createStore('on the server', load)
    expect(load).not.toHaveBeenCalled()
    expect([store.get(), store.get(), store.initial]).toEqual(['stored', 'stored', 'on the server'])
    expect(load).toHaveBeenCalledOnce()
  })
})

describe('a safe storage', () => {
  const room = 10
  const roomy = () => {
    const values = new Map<string, string>()
    return {
      getItem: (key: string) => values.get(key) ?? null,
      removeItem: (key: string) => void values.delete(key),
      setItem(key: string, value: string) {
        if (value.length > room) throw new DOMException('full', 'QuotaExceededError')
        values.set(key, value)
      },
    } as Storage
  }

  it('gives back what it was given, until it is removed', () => {
    const storage = roomy()
    const safe = safeStorage(() => storage)
    expect(safe.get('speed')).toBeNull()
    expect(safe.set('speed', '1.5')).toBe(true)
    expect(safe.get('speed')).toBe('1.5')
    safe.remove('speed')
    expect(safe.get('speed')).toBeNull()
  })

  it('keeps what it had when there is no more room', () => {
    const storage = roomy()
    const safe = safeStorage(() => storage)
    safe.set('speed', '1.5')
    expect(safe.set('speed', 'x'.repeat(room + 1))).toBe(false)
    expect(safe.get('speed')).toBe('1.5')
  })

  it('remembers nothing, and says so, where the browser forbids storage', () => {
    const safe = safeStorage(() => {
      throw new DOMException('blocked', 'SecurityError')
    })
    expect(safe.set('speed', '1.5')).toBe(false)
    expect(safe.get('speed')).toBeNull()
    expect(() => safe.remove('speed')).not.toThrow()
  })
})
