import { describe, expect, it } from 'vitest'
import { createPageAnswers } from './render.ts'

/** A library that counts what it is asked. */
function library(answer: () => Response = () => Response.json(['Berlin'])) {
  const asked: string[] = []
  const { remember, observer } = createPageAnswers()
  const ask = remember(async (input) => {
    asked.push(String(input instanceof Request ? input.url : input))
    return answer()
  })
  return { asked, ask, observer }
}
const address = 'http://site.test/rest/v1/rpc/resource_locations'

describe('answers that pages share', () => {
  it('are asked for once, until the library changes', async () => {
    const { asked, ask, observer } = library()
    const texts = [await (await ask(address)).json(), await (await ask(address)).json()]
    expect([texts, asked.length]).toEqual([[['Berlin'], ['Berlin']], 1])
    for (const change of [observer.expire, observer.purge]) {
      change()
      await ask(address)
      await ask(address)
    }
    expect(asked).toHaveLength(3)
  })

  it('are not shared while changes may happen unseen', async () => {
    const { asked, ask, observer } = library()
    await ask(address)
    observer.doubt({ isServerDown: false })
    await ask(address)
    await ask(address)
    expect(asked).toHaveLength(3)
    observer.trust()
    await ask(address)
    await ask(address)
    expect(asked).toHaveLength(4)
  })

  it('are not kept when the library changed while they were made', async () => {
    const { asked, ask, observer } = library(() => {
      observer.expire()
      return Response.json(['old'])
    })
    await ask(address)
    await ask(address)
    expect(asked).toHaveLength(2)
  })

  it.each([
    ['an error', () => new Response('{}', { status: 503 })],
    ['a large answer', () => new Response('x'.repeat(20_000))],
  ])('%s is passed on, and not kept', async (_what, answer) => {
    const { asked, ask } = library(answer)
    const first = await ask(address)
    expect(await first.text()).toBe(await answer().text())
    await ask(address)
    expect(asked).toHaveLength(2)
  })

  it('are told apart by what is asked of them, and changes are never kept', async () => {
    const { asked, ask } = library()
    await ask(address)
    await ask(address, { headers: { prefer: 'count=exact' } })
    await ask(`${address}?of_category=reading`)
    await ask(address, { method: 'POST' })
    await ask(address, { method: 'POST' })
    expect(asked).toHaveLength(5)
  })
})
