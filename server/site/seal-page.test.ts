import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { contentSecurityPolicy, sealScripts } from './seal-page.ts'

const hash = (code: string) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`

describe('sealing scripts', () => {
  it('hashes what carried the nonce and takes the nonce out everywhere', () => {
    const { html, hashes } = sealScripts(
      '<script nonce="n1">go()</script><script nonce="n1" src="/a.js"></script><link nonce="n1" rel="modulepreload">',
      'n1',
    )
    expect(html).toBe('<script>go()</script><script src="/a.js"></script><link rel="modulepreload">')
    expect(hashes).toEqual([hash('go()')])
  })

  it('gives no hash to a script that content smuggled in', () => {
    const { hashes } = sealScripts('<script>evil()</script><script nonce="guess">evil()</script>', 'n1')
    expect(hashes).toEqual([])
  })

  it('hashes each script by itself, over line breaks', () => {
    const { hashes } = sealScripts(
      '<script nonce="n1">a\n</script>x<script async="" nonce="n1">b</script>',
      'n1',
    )
    expect(hashes).toEqual([hash('a\n'), hash('b')])
  })
})

describe('the policy', () => {
  it('allows no inline script but those with a hash, and no frames, plug-ins or other base', () => {
    const policy = contentSecurityPolicy(["'sha256-abc'"])
    expect(policy).toContain("script-src 'self' 'sha256-abc';")
    expect(policy).not.toMatch(/script-src[^;]*unsafe/)
    for (const part of [
      "default-src 'none'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "object-src 'none'",
    ]) {
      expect(policy).toContain(part)
    }
  })

  it('lets the browser call the hosted project, and nothing else', () => {
    expect(contentSecurityPolicy([], 'https://p.supabase.example')).toContain(
      "connect-src 'self' https://p.supabase.example wss://p.supabase.example;",
    )
    expect(contentSecurityPolicy([])).toContain("connect-src 'self';")
  })
})
