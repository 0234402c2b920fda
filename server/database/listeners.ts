import type { Driver } from './port.ts'

/**
 * The adapter, with listeners that end when it is closed: nobody is called back by a database that was let go, and no
 * connection of theirs is left behind. What `listen` gives back may be called at any time, and more than once.
 */
export function endListenersOnClose(driver: Driver): Driver {
  const open = new Set<() => Promise<void>>()
  let closing: Promise<void> | undefined
  const close = async () => {
    await Promise.all([...open].map((stop) => stop()))
    await driver.close()
  }
  return {
    transaction: driver.transaction,
    usage: driver.usage,
    async listen(...listening) {
      const stopListening = await driver.listen(...listening)
      let stopping: Promise<void> | undefined
      const stop = () => {
        open.delete(stop)
        stopping ??= stopListening()
        return stopping
      }
      open.add(stop)
      // Closed while the connection was being made.
      if (closing) await stop()
      return stop
    },
    close() {
      closing ??= close()
      return closing
    },
  }
}
