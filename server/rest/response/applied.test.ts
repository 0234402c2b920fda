import { expect, test } from 'vitest'
import { planOf } from '#tests/support/rest-requests.ts'
import { parsePrefer } from '../request/headers.ts'
import { preferenceApplied } from '../response.ts'

const everything =
  'return=representation,resolution=merge-duplicates,missing=default,count=exact,handling=strict,timezone=UTC,max-affected=5'

test.each([
  ['GET', '/things', everything, 'count=exact, handling=strict, timezone=UTC'],
  [
    'POST',
    '/things',
    everything,
    'resolution=merge-duplicates, missing=default, return=representation, count=exact, handling=strict, timezone=UTC, max-affected=5',
  ],
  [
    'PATCH',
    '/things?id=eq.1',
    everything,
    'missing=default, return=representation, count=exact, handling=strict, timezone=UTC, max-affected=5',
  ],
  ['DELETE', '/things?id=eq.1', 'return=minimal,max-affected=5', 'return=minimal'],
  ['PUT', '/things?id=eq.1', 'return=minimal,resolution=merge-duplicates', 'return=minimal'],
  ['POST', '/some%20things', 'resolution=merge-duplicates', undefined],
  ['GET', '/things', 'tx=rollback,foo', undefined],
])('%s %s with %s grants %s', (method, path, prefer, expected) => {
  const body = method === 'GET' ? undefined : { id: 1 }
  const plan = planOf({ method, path, headers: { prefer }, body })
  expect(preferenceApplied(plan, parsePrefer(prefer))).toBe(expected)
})
