import { expect, it } from 'vitest'
import { createSavedList, withPending } from './heart-button.tsx'

/** A server that keeps a list and answers when it is told to. */
function openList({ saved = [] as string[], refuses = false } = {}) {
  let onServer = [...saved]
  let shown: readonly string[] = saved
  const sent: string[] = []
  const failures: boolean[] = []
  const waiting: Array<() => void> = []
  const list = createSavedList({
    known: () => shown,
    show: (ids) => {
      shown = ids
    },
    fail: (save) => failures.push(save),
    send: async (id, save) => {
      sent.push(`${save ? '+' : '-'}${id}`)
      await new Promise<void>((resolve) => waiting.push(resolve))
      if (refuses) throw new Error('refused')
      onServer = save ? [...new Set([...onServer, id])] : onServer.filter((one) => one !== id)
      return onServer
    },
  })
  return {
    list,
    sent,
    failures,
    shown: () => shown,
    server: (ids: string[]) => {
      onServer = ids
    },
    answer: () => waiting.shift()?.(),
  }
}

const settle = () => new Promise((resolve) => setTimeout(resolve))

it('shows what was saved at once, and keeps it when the server agrees', async () => {
  const { list, shown, answer, sent } = openList()
  const done = list.toggle('a')
  expect(shown()).toEqual(['a'])
  answer()
  await done
  expect(shown()).toEqual(['a'])
  expect(sent).toEqual(['+a'])
})

it('takes it back when the server refuses, and says so', async () => {
  const { list, shown, answer, failures } = openList({ saved: ['a'], refuses: true })
  const done = list.toggle('a')
  expect(shown()).toEqual([])
  answer()
  await done
  expect(shown()).toEqual(['a'])
  expect(failures).toEqual([false])
})

it('a double click ends as it began, with the calls in order', async () => {
  const { list, shown, answer, sent } = openList()
  void list.toggle('a')
  const done = list.toggle('a')
  expect(shown()).toEqual([])
  answer()
  await settle()
  answer()
  await done
  expect(shown()).toEqual([])
  expect(sent).toEqual(['+a', '-a'])
})

it('shows what another tab saved meanwhile', async () => {
  const { list, shown, answer, server } = openList({ saved: ['a'] })
  server(['a', 'b'])
  const done = list.toggle('c')
  answer()
  await done
  expect(shown()).toEqual(['a', 'b', 'c'])
})

it('saves several one after another, and shows them all from the beginning', async () => {
  const { list, shown, answer, sent } = openList()
  void list.toggle('a')
  const done = list.toggle('b')
  expect(shown()).toEqual(['a', 'b'])
  answer()
  await settle()
  expect(shown()).toEqual(['a', 'b'])
  answer()
  await done
  expect(sent).toEqual(['+a', '+b'])
})

it('a wish outranks what is known', () => {
  expect(
    withPending(
      ['a', 'b'],
      new Map([
        ['a', false],
        ['c', true],
        ['b', true],
      ]),
    ),
  ).toEqual(['b', 'c'])
})
