import { expect, it } from 'vitest'
import { scriptsLast } from './loading-order.ts'

it('scripts that are named ahead wait for what is seen; everything else stays as it is', () => {
  const styles = '<link rel="stylesheet" href="/a.css"/>'
  const html = `<head>${styles}<link rel="modulepreload" href="/a.js"/></head><p>modulepreload</p>`
  expect(scriptsLast(html)).toBe(
    `<head>${styles}<link rel="modulepreload" fetchpriority="low" href="/a.js"/></head><p>modulepreload</p>`,
  )
})
