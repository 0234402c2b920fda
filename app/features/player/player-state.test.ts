import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { isWorthSaving, type Playback, type PlayerEvent, paused, reduce, startAt } from './player-state.ts'

const played = (...events: PlayerEvent[]): Playback => events.reduce(reduce, paused(100))

describe('a player', () => {
  it('is paused at the start before anything has happened', () => {
    expect(played()).toEqual({ phase: 'paused', position: 0, total: 100, failed: false })
  })

  it('waits for sound, plays, waits when the download cannot keep up, and plays on', () => {
    expect(played({ kind: 'asked' }).phase).toBe('loading')
    expect(played({ kind: 'asked' }, { kind: 'sounding' }).phase).toBe('playing')
    expect(played({ kind: 'asked' }, { kind: 'sounding' }, { kind: 'starved' }).phase).toBe('loading')
    const recovered = played(
      { kind: 'asked' },
      { kind: 'sounding' },
      { kind: 'starved' },
      { kind: 'sounding' },
    )
    expect(recovered.phase).toBe('playing')
  })

  it('does not look busy when a download pauses that nobody listens to', () => {
    expect(played({ kind: 'starved' }).phase).toBe('paused')
  })

  it('stays where it was when it is paused', () => {
    const stopped = played(
      { kind: 'asked' },
      { kind: 'sounding' },
      { kind: 'moved', position: 7 },
      { kind: 'paused' },
    )
    expect(stopped).toEqual({ phase: 'paused', position: 7, total: 100, failed: false })
  })

  it('is back at 0 when playback ends', () => {
    const ended = played({ kind: 'sounding' }, { kind: 'moved', position: 100 }, { kind: 'ended' })
    expect(ended).toMatchObject({ phase: 'paused', position: 0 })
  })

  it('is reset to paused by a failure, and forgets the failure on the next try', () => {
    const failed = played({ kind: 'asked' }, { kind: 'failed' }, { kind: 'paused' })
    expect(failed).toMatchObject({ phase: 'paused', failed: true })
    expect(reduce(failed, { kind: 'asked' })).toMatchObject({ phase: 'loading', failed: false })
  })

  it('takes the length from the recording once it is known', () => {
    expect(played({ kind: 'measured', total: 97.3 }).total).toBe(97.3)
  })
})

test.each([
  [30, 100, 30],
  [0, 100, 0],
  [-5, 100, 0],
  [99.9, 100, 99.9],
  [100, 100, 0],
  [250, 100, 0],
  [30, 0, 0],
  [Number.NaN, 100, 0],
])('a saved position of %d in %d seconds starts at %d', (wanted, total, start) => {
  expect(startAt(wanted, total)).toBe(start)
})

test('a recording always starts inside itself, whatever was saved', () => {
  fc.assert(
    fc.property(fc.double(), fc.double({ min: 0, noNaN: true }), (wanted, total) => {
      const start = startAt(wanted, total)
      expect(start === 0 || (start === wanted && start > 0 && start < total)).toBe(true)
    }),
  )
})

test.each([
  [4.9, 0, false],
  [5, 0, true],
  [12, 20, true],
  [16, 20, false],
])('at %d seconds, last saved at %d: worth saving %s', (position, saved, worthIt) => {
  expect(isWorthSaving(position, saved)).toBe(worthIt)
})
