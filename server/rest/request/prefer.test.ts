import { describe, expect, test } from 'vitest'
import { parsePrefer } from './headers.ts'

describe('parsePrefer', () => {
  test.each([
    [undefined, { invalid: [] }],
    ['', { invalid: [] }],
    ['count=exact', { count: 'exact', invalid: [] }],
    ['return=representation, missing=default', { return: 'representation', missing: 'default', invalid: [] }],
    [
      'resolution=merge-duplicates,count=planned',
      { resolution: 'merge-duplicates', count: 'planned', invalid: [] },
    ],
    ['return=minimal,return=representation', { return: 'minimal', invalid: [] }],
    ['handling=strict, max-affected=10', { handling: 'strict', maxAffected: 10, invalid: [] }],
    ['max-affected=-1,max-affected=ten', { invalid: [] }],
    ['timezone=Europe/Berlin', { timezone: 'Europe/Berlin', invalid: [] }],
    ['timezone=Jupiter/Red_Spot', { invalid: ['timezone=Jupiter/Red_Spot'] }],
    ['timezone=+02:00', { invalid: ['timezone=+02:00'] }],
    ['tx=rollback', { invalid: [] }],
    ['foo, count=many,bar=1', { invalid: ['foo', 'count=many', 'bar=1'] }],
    ['__proto__=x,constructor=y', { invalid: ['__proto__=x', 'constructor=y'] }],
  ])('%j', (header, expected) => expect(parsePrefer(header)).toEqual(expected))
})
