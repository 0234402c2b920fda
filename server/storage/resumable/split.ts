/** A stream of bytes that is read in runs of a given length. */
export interface Runs {
  /** Whether nothing is left. */
  isOver(): Promise<boolean>
  /** The next bytes, at most so many. */
  take(length: number): AsyncGenerator<Uint8Array>
}

/** Lets a stream be read in runs, without holding more than one chunk of it. */
export function inRuns(source: AsyncIterable<Uint8Array>): Runs {
  const chunks = source[Symbol.asyncIterator]()
  let held: Uint8Array | undefined = new Uint8Array()
  const peek = async (): Promise<Uint8Array | undefined> => {
    while (held?.length === 0) held = (await chunks.next()).value
    return held
  }
  async function* take(length: number) {
    for (let left = length; left > 0; ) {
      const chunk = await peek()
      if (!chunk) return
      const piece = chunk.subarray(0, left)
      held = chunk.subarray(piece.length)
      left -= piece.length
      yield piece
    }
  }
  return { isOver: async () => (await peek()) === undefined, take }
}
