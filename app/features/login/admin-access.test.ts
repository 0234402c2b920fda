import { expect, it } from 'vitest'
import { nextPage } from './admin-access.tsx'

it.each([
  ['next=/admin', '/admin'],
  ['next=%2Fresources%2Fedit%2F3f0c6b0e', '/resources/edit/3f0c6b0e'],
  ['', undefined],
  ['next=', undefined],
  ['next=https://evil.example', undefined],
  ['next=//evil.example', undefined],
  ['next=/\\evil.example', undefined],
  ['next=/%09/evil.example', undefined],
  ['next=javascript:alert(1)', undefined],
])('%j leads to %j', (search, page) => {
  expect(nextPage(new URLSearchParams(search))).toBe(page)
})
