import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { busyAnswer } from './busy-page.ts'

const asked = (accept: string) => new Request('http://localhost/resources', { headers: { accept } })
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

describe('the answer to whoever has to come again', () => {
  it('is for browsers a page that asks again by itself, when it is time and not sooner', async () => {
    for (const [retryAfter, seconds, words] of [
      [1, '5', 'in a few seconds'],
      [30, '30', 'in a few seconds'],
      [90, '90', 'in about a minute'],
    ] as const) {
      const answer = busyAnswer(asked(browser), retryAfter)
      expect(answer.status).toBe(503)
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'retry-after': seconds,
        refresh: seconds,
        'cache-control': 'no-store',
        'content-type': 'text/html; charset=utf-8',
      })
      expect(await answer.text()).toContain(words)
    }
  })

  it('needs nothing else from the service, and lets nothing run', async () => {
    const answer = busyAnswer(asked(browser), 1)
    const html = await answer.text()
    expect(html).not.toMatch(/<script|<link|<img|url\(|@import|https?:/)
    const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(html) ?? []
    const hash = createHash('sha256').update(style).digest('base64')
    expect(answer.headers.get('content-security-policy')).toContain(
      `default-src 'none'; style-src 'sha256-${hash}'`,
    )
  })

  it('is a plain sentence for everything else', async () => {
    const answer = busyAnswer(asked('*/*'), 1)
    expect([answer.status, answer.headers.get('retry-after'), answer.headers.get('refresh')]).toEqual([
      503,
      '1',
      null,
    ])
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await answer.text()).toMatch(/^More is asked of us .*\.$/)
  })
})
