import type { KeepMessage } from '#app/worker/messages.ts'

/** Those who pay by the megabyte have told their browser; nothing is fetched for later then. */
const savesData = () => Boolean((navigator as { connection?: { saveData?: boolean } }).connection?.saveData)

/** Installs the service worker if need be; null where there is none to be had. */
export async function startWorker(): Promise<ServiceWorker | null> {
  if (!('serviceWorker' in navigator) || savesData()) return null
  await navigator.serviceWorker.register('/service-worker.js')
  return (await navigator.serviceWorker.ready).active
}

/** Asks the worker to keep a page. Resolves with whether it did. */
export const askToKeep = (worker: ServiceWorker, message: KeepMessage): Promise<boolean> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => {
      port1.close()
      resolve(data === true)
    }
    worker.postMessage(message, [port2])
  })

/** The built files that this tab has loaded: what a page fetches later on does not stand in its HTML. */
export const loadedAssets = (): string[] =>
  performance
    .getEntriesByType('resource')
    .map(({ name }) => new URL(name))
    .filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith('/assets/'))
    .map(({ pathname }) => pathname)
