import { describe, expect, it } from 'vitest'
import { preparedStatements } from './pglite-prepared.ts'

describe('prepared statements', () => {
  it('are known by the same name from the second time on', () => {
    const prepared = preparedStatements()
    const first = prepared.take('select 1')
    expect(first.isKnown).toBe(false)
    first.settle(true)
    expect(prepared.take('select 1')).toMatchObject({ name: first.name, isKnown: true })
  })

  it('never share a name, not even while both are on their way', () => {
    const prepared = preparedStatements()
    const names = ['a', 'b', 'a'].map((text) => prepared.take(text))
    expect(new Set(names.map(({ name }) => name)).size).toBe(3)
    for (const { settle } of names) settle(true)
    expect(prepared.take('a').name).not.toBe(prepared.take('b').name)
    expect(prepared.take('c').isKnown).toBe(false)
  })

  it('give their name back when the engine refused them', () => {
    const prepared = preparedStatements()
    const refused = prepared.take('selec 1')
    refused.settle(false)
    expect(prepared.take('select 2')).toMatchObject({ name: refused.name, isKnown: false })
  })

  it('make room: no more names than may be kept, and those of the longest unused', () => {
    const prepared = preparedStatements(3)
    const names = new Set<string>()
    for (let n = 0; n < 50; n++) {
      const { name, settle } = prepared.take(`select ${n}`)
      settle(true)
      names.add(name)
    }
    expect(names.size).toBeLessThanOrEqual(4)
    expect(prepared.take('select 49').isKnown).toBe(true)
    expect(prepared.take('select 0').isKnown).toBe(false)
  })
})
