import { describe, expect, it } from 'vitest'
import { emptyStorage } from './memory-storage.ts'
import { createPositions, positionLimit, positionsKey } from './positions.ts'
import { createSessionStore } from './session-store.ts'

const openPositions = (stored?: string) => {
  const store = createSessionStore(emptyStorage())
  if (stored !== undefined) store.write(positionsKey, stored)
  let clock = 1000
  const positions = createPositions(store, () => clock++)
  return { positions, records: () => JSON.parse(store.read(positionsKey) ?? 'null') }
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
