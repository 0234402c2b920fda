import { describe, expect, it } from 'vitest'
import { emptyStorage } from './memory-storage.ts'
import { createSessionStore } from './session-store.ts'

describe('a session store', () => {
  it('reads what it wrote', () => {
    const store = createSessionStore(emptyStorage())
    store.write('speed', '1.5')
    expect(store.read('speed')).toBe('1.5')
    expect(store.read('something else')).toBeNull()
  })

  it('remembers nothing, and says nothing, where the browser blocks its storage', () => {
    const store = createSessionStore(() => {
      throw new DOMException('blocked', 'SecurityError')
    })
    expect(() => store.write('speed', '1.5')).not.toThrow()
    expect(store.read('speed')).toBeNull()
  })

  it('keeps what it had when the storage is full', () => {
    const open = emptyStorage({ room: 10 })
    const store = createSessionStore(open)
    store.write('speed', '1.5')
    store.write('speed', 'far too long for the room there is')
    expect(store.read('speed')).toBe('1.5')
  })
})
