import { describe, expect, it, test, vi } from 'vitest'
import { safeStorage } from '#app/ui/store.ts'
import { createPositions, createSpeed, positionLimit, positionsKey, speedKey } from './player-storage.ts'

const emptyStorage = () => {
  const values = new Map<string, string>()
  const storage = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
  } as Storage
  return safeStorage(() => storage)
}

const openPositions = (stored?: string) => {
  const store = emptyStorage()
  if (stored !== undefined) store.set(positionsKey, stored)
  let clock = 1000
  const positions = createPositions(store, () => clock++)
  return { positions, records: () => JSON.parse(store.get(positionsKey) ?? 'null') }
}

describe('podcast positions', () => {
  it('are records of resourceId, position and timestamp, one per resource', () => {
    const { positions, records } = openPositions()
    positions.save('walk', 12.5)
    positions.save('drive', 3)
    positions.save('walk', 20)
    expect(records()).toEqual([
      { resourceId: 'walk', position: 20, timestamp: 1002 },
      { resourceId: 'drive', position: 3, timestamp: 1001 },
    ])
    expect(positions.read('walk')).toBe(20)
  })

  it('know nothing of a resource that was never heard', () => {
    expect(openPositions().positions.read('walk')).toBeNull()
  })

  it('tell a saved 0 from nothing saved', () => {
    const { positions } = openPositions()
    positions.save('walk', 0)
    expect(positions.read('walk')).toBe(0)
  })

  it('are forgotten one by one', () => {
    const { positions } = openPositions()
    positions.save('walk', 12)
    positions.save('drive', 3)
    positions.clear('walk')
    expect(positions.read('walk')).toBeNull()
    expect(positions.read('drive')).toBe(3)
  })

  it('are kept for the 50 last heard', () => {
    const { positions, records } = openPositions()
    for (let episode = 0; episode <= positionLimit; episode++) positions.save(`episode ${episode}`, 10)
    expect(records()).toHaveLength(50)
    expect(positions.read('episode 0')).toBeNull()
    expect(positions.read('episode 1')).toBe(10)
    positions.save('episode 1', 11)
    positions.save('one more', 10)
    expect(positions.read('episode 1')).toBe(11)
    expect(positions.read('episode 2')).toBeNull()
  })

  it.each([
    'not JSON',
    'null',
    '"text"',
    '{"resourceId":"walk","position":5,"timestamp":1}',
    '[null, 7, [], "walk", {}]',
    '[{"resourceId":"walk","position":"5","timestamp":1}]',
    '[{"resourceId":"walk","position":-5,"timestamp":1}]',
    '[{"resourceId":"walk","position":1e999,"timestamp":1}]',
    '[{"resourceId":"walk","position":5}]',
    '[{"resourceId":7,"position":5,"timestamp":1}]',
    '[{"__proto__":{"resourceId":"walk"},"position":5,"timestamp":1}]',
  ])('take %s in the storage for nothing, and write over it', (stored) => {
    const { positions, records } = openPositions(stored)
    expect(positions.read('walk')).toBeNull()
    positions.save('walk', 8)
    expect(records()).toEqual([{ resourceId: 'walk', position: 8, timestamp: 1000 }])
  })

  it('keep the good records that stand among bad ones', () => {
    const { positions } = openPositions('[null,{"resourceId":"walk","position":5,"timestamp":1},{}]')
    expect(positions.read('walk')).toBe(5)
  })
})

const storing = (text: string) => {
  const store = emptyStorage()
  store.set(speedKey, text)
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
  expect(createSpeed(storing(stored)).get()).toBe(speed)
})

describe('the podcast speed', () => {
  it('is 1 until somebody chooses another', () => {
    expect(createSpeed(emptyStorage()).get()).toBe(1)
  })

  it('is kept in the session and told to every player on the page', () => {
    const store = emptyStorage()
    const speed = createSpeed(store)
    const listener = vi.fn()
    const unsubscribe = speed.subscribe(listener)
    speed.set(1.5)
    expect(listener).toHaveBeenCalledOnce()
    expect(speed.get()).toBe(1.5)
    expect(createSpeed(store).get()).toBe(1.5)
    unsubscribe()
    speed.set(2)
    expect(listener).toHaveBeenCalledOnce()
  })

  it('can be chosen where nothing can be stored', () => {
    const speed = createSpeed(
      safeStorage(() => {
        throw new DOMException('blocked', 'SecurityError')
      }),
    )
    speed.set(0.75)
    expect(speed.get()).toBe(0.75)
  })
})
