import type { ServerResponse } from 'node:http'

/** Shorter ones are not worth counting: the kernel takes them off our hands. */
const LONG = 256 * 1024
/** Two of the longest answers that there are. */
const MOST_PER_CLIENT = 64 * 1024 * 1024
const MOST = 256 * 1024 * 1024

interface Sending {
  client: string
  size: number
  answer: ServerResponse
}

/**
 * Bounds the answers that their clients have not read yet, in characters or bytes. Whoever reads slowly, or not at all,
 * keeps nobody from asking, and costs no more memory than this: of too much, what was begun first is cut off. Nothing is
 * refused, because the answer may tell of a change that has been made.
 */
export function createLongAnswers(): (client: string, size: number, answer: ServerResponse) => void {
  /** In the order in which they were begun. */
  const underWay = new Set<Sending>()

  /** The last one stays, however long it is. */
  const cut = (limit: number, sent: readonly Sending[]) => {
    let size = sent.reduce((sum, each) => sum + each.size, 0)
    for (const first of sent.slice(0, -1)) {
      if (size <= limit) return
      size -= first.size
      underWay.delete(first)
      first.answer.destroy()
    }
  }

  return function countAnswer(client, size, answer) {
    if (size <= LONG || answer.destroyed) return
    const sending = { client, size, answer }
    underWay.add(sending)
    answer.once('close', () => underWay.delete(sending))
    const own = [...underWay].filter((each) => each.client === client)
    cut(MOST_PER_CLIENT, own)
    cut(MOST, [...underWay])
  }
}
