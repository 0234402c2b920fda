import { expect, it } from 'vitest'
import { wantedAddress } from './offline-page.tsx'

it.each([
  ['/offline?from=%2Fterms', '/terms'],
  ['/offline?from=%2Fresources%3Fq%3Dsleep', '/resources?q=sleep'],
  ['/offline', '/'],
  ['/offline?from=%2Foffline', '/'],
  ['/offline?from=https%3A%2F%2Felsewhere.example%2F', '/'],
  ['/offline?from=%2F%2Felsewhere.example%2F', '/'],
  ['/offline?from=javascript%3Aalert(1)', '/'],
])('%s leads back to %s', (here, wanted) => expect(wantedAddress(`https://site.example${here}`)).toBe(wanted))
