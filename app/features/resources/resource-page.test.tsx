import { describe, expect, it } from 'vitest'
import { webLink } from './resource-page.tsx'

describe('webLink', () => {
  it.each(['https://example.org/a?b=c#d', 'HTTP://example.org'])('keeps %s', (link) =>
    expect(webLink(link)).toBe(link),
  )
  it.each([
    null,
    '',
    'word/Guide.docx',
    '/html/guide',
    'javascript:alert(1)',
    ' https://example.org',
    'https://',
    'data:text/html,x',
  ])('is null for %j', (link) => expect(webLink(link)).toBeNull())
})
