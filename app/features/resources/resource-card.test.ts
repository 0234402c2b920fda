import fc from 'fast-check'
import { expect, it } from 'vitest'
import { wavePath } from './resource-card.tsx'

it('is the same for the same episode and another for another', () => {
  expect(wavePath('a1b2')).toBe(wavePath('a1b2'))
  expect(wavePath('a1b2')).not.toBe(wavePath('c3d4'))
})

it('stays inside the banner, which is 180 high', () => {
  fc.assert(
    fc.property(fc.uuid(), (id) => {
      for (const [, top, height] of wavePath(id).matchAll(/M\d+ ([\d.]+)v(\d+)/g)) {
        expect(Number(top)).toBeGreaterThan(0)
        expect(Number(top) + Number(height)).toBeLessThan(180)
      }
    }),
  )
})
