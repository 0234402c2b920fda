import { createHash } from 'node:crypto'
import type { Bytes, Written } from './port.ts'

interface Measured {
  stream: AsyncGenerator<Uint8Array>
  /** Right once all bytes have passed. */
  written(): Written
  /** What the source threw, in a box, so that undefined can be told from nothing. */
  broken(): { error: unknown } | undefined
}

/** Passes bytes on, takes their measure, and remembers how they broke off. */
export function measure(bytes: Bytes): Measured {
  const hash = createHash('md5')
  let size = 0
  let broken: { error: unknown } | undefined
  async function* stream() {
    try {
      for await (const chunk of bytes instanceof Uint8Array ? [bytes] : bytes) {
        hash.update(chunk)
        size += chunk.length
        yield chunk
      }
    } catch (error) {
      broken = { error }
      throw error
    }
  }
  return { stream: stream(), written: () => ({ size, md5: hash.digest('hex') }), broken: () => broken }
}
