import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Busy, createFairGate } from './fair-gate.ts'

const LONG = 10_000

describe('a gate', () => {
  it('lets in so many at once, and so many of one client', async () => {
    const gate = createFairGate({ places: 3, perClient: 2, waitMs: LONG })
    let now = 0
    let most = 0
    const ofOne = { now: 0, most: 0 }
    const work = (client: string) => async () => {
      most = Math.max(most, ++now)
      if (client === 'a') ofOne.most = Math.max(ofOne.most, ++ofOne.now)
      await pause(1)
      if (client === 'a') ofOne.now--
      now--
    }
    const asked = Array.from({ length: 60 }, (_, n) => (n % 3 ? 'a' : `b${n}`))
    await Promise.all(asked.map((client) => gate.run(client, work(client))))
    expect([most, ofOne.most]).toEqual([3, 2])
  })

  it('gives a newcomer the next place, however many of another client wait', async () => {
    const gate = createFairGate({ places: 1, perClient: 1, waitMs: LONG })
    const order: string[] = []
    const ask = (client: string) =>
      gate.run(client, async () => {
        order.push(client)
        await pause(1)
      })
    const flood = Array.from({ length: 20 }, () => ask('flood'))
    await Promise.all([...flood, ask('reader'), ask('other')])
    expect(order.slice(0, 4)).toEqual(['flood', 'flood', 'reader', 'other'])
    expect(order).toHaveLength(22)
  })

  it('refuses who has waited too long, and whose line is too long', async () => {
    const gate = createFairGate({ places: 1, perClient: 1, waitMs: 20 })
    const inside = await gate.enter('a')
    const refused = await Promise.allSettled(Array.from({ length: 300 }, () => gate.enter('a')))
    expect(refused.every(({ status }) => status === 'rejected')).toBe(true)
    const [first] = refused as PromiseRejectedResult[]
    expect(first?.reason).toBeInstanceOf(Busy)
    expect(first?.reason.retryAfter).toBe(1)
    inside.leave()
    expect(await gate.run('a', async () => 'in')).toBe('in')
  })

  it('is left once, also when the work fails', async () => {
    const gate = createFairGate({ places: 1, perClient: 1, waitMs: LONG })
    await expect(gate.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    const place = await gate.enter('a')
    place.leave()
    place.leave()
    await gate.enter('a')
    const second = gate.enter('b')
    const isIn = await Promise.race([second.then(() => true), pause(20).then(() => false)])
    expect(isIn).toBe(false)
  })

  it('gives the place of who hung up to the next', async () => {
    const gate = createFairGate({ places: 1, perClient: 1, waitMs: LONG })
    const place = await gate.enter('a')
    const gone = new AbortController()
    const left = gate.enter('b', () => gone.signal)
    const stays = gate.enter('c')
    gone.abort(new Error('hung up'))
    await expect(left).rejects.toThrow('hung up')
    place.leave()
    await expect(stays).resolves.toBeDefined()
  })
})

describe('a budget', () => {
  const options = { places: 2, perClient: 2, budget: { share: 0.5, reserveMs: 40 } }

  it('lets who has used it up wait until it has grown again, and others in', async () => {
    const gate = createFairGate({ ...options, waitMs: LONG })
    await gate.run('a', () => pause(100))
    const started = performance.now()
    const order: string[] = []
    await Promise.all([
      gate.run('a', async () => order.push('a')),
      gate.run('b', async () => order.push('b')),
    ])
    expect(order).toEqual(['b', 'a'])
    // 100 ms were used, 60 more than the reserve, and grow again at half the speed of the clock.
    expect(performance.now() - started).toBeGreaterThan(90)
  })

  it('tells whom waiting did not help when it will', async () => {
    const gate = createFairGate({ ...options, waitMs: 10, budget: { share: 0.05, reserveMs: 0 } })
    await gate.run('a', () => pause(100))
    const refused = await gate.run('a', async () => 'in').catch((error) => error)
    expect(refused).toBeInstanceOf(Busy)
    expect(refused.retryAfter).toBeGreaterThan(1)
  })
})
