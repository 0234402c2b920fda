/** Bytes to be written somewhere, and what their source threw: whoever writes them may fail too, and that is another matter. */
export function watchSource(bytes: AsyncIterable<Uint8Array>): {
  bytes: AsyncIterable<Uint8Array>
  failed(): unknown
} {
  let failed: unknown
  async function* watched() {
    const source = bytes[Symbol.asyncIterator]()
    const next = () =>
      source.next().catch((error) => {
        failed = error
        throw error
      })
    try {
      // Not `for await`: a stream that fails throws its own error in here, at the yield.
      for (let chunk = await next(); !chunk.done; chunk = await next()) yield chunk.value
    } finally {
      await source.return?.()
    }
  }
  return { bytes: watched(), failed: () => failed }
}
