import { describe, expect, it } from 'vitest'
import { addressOfFile, keptAddress, shownAddress, thumbnailAddress } from './address.ts'

const here = { siteUrl: 'https://site.example', apiUrl: 'https://site.example' }
const hosted = { siteUrl: 'https://site.example', apiUrl: 'https://p.supabase.example' }
const kept = '/storage/v1/object/public/images/resource-images/a%20b.png'

describe('addresses of media', () => {
  it.each([
    [kept, here, `https://site.example${kept}`],
    [kept, hosted, `https://p.supabase.example${kept}`],
    ['/placeholder.svg', hosted, 'https://site.example/placeholder.svg'],
    ['https://elsewhere.example/a.png', hosted, 'https://elsewhere.example/a.png'],
    ['', here, ''],
  ])('%s is shown in full, and kept as it was', (stored, origins, shown) => {
    expect(shownAddress(stored, origins)).toBe(shown)
    expect(keptAddress(shown, origins)).toBe(stored)
  })

  it.each([
    [' https://elsewhere.example/a.png ', 'https://elsewhere.example/a.png'],
    ['https://site.example.evil.example/a.png', 'https://site.example.evil.example/a.png'],
    ['https://p.supabase.example/rest/v1/', 'https://p.supabase.example/rest/v1/'],
    ['https://site.example', 'https://site.example'],
    ['words', 'words'],
  ])('%j is kept as %j', (typed, stored) => expect(keptAddress(typed, hosted)).toBe(stored))

  it('names of files are written as addresses need them', () => {
    expect(addressOfFile('images', 'resource-images/a b&c.png')).toBe(
      '/storage/v1/object/public/images/resource-images/a%20b%26c.png',
    )
  })

  it('only stored pictures have small versions', () => {
    expect(thumbnailAddress(kept, hosted, 320)).toBe(
      'https://p.supabase.example/storage/v1/render/image/public/images/resource-images/a%20b.png?width=320',
    )
    expect(thumbnailAddress('https://elsewhere.example/a.png', here, 320)).toBe(
      'https://elsewhere.example/a.png',
    )
  })
})
