import { answers, OFFLINE } from './answers.ts'
import { cacheNames, keepAssets, keepPage, purge, trim } from './caches.ts'
import { isMemberCache, readMessage } from './messages.ts'
import { assetsIn, kindOf } from './requests.ts'
import type { WorkerScope } from './worker-scope.d.ts'

// Written by tools/build/make-service-worker.ts: a name for this build, the code of the pages that visitors see,
// and what members' pages need besides.
declare const RELEASE: string
declare const PUBLIC_CODE: readonly string[]
declare const MEMBER_CODE: readonly string[]

const worker = self as unknown as WorkerScope
const shell = cacheNames.shell(RELEASE)
const publicCode = PUBLIC_CODE
/** Pages that open without a network although nobody has read them. */
const SHELL_PAGES = [OFFLINE, '/']
/** What visitors have read last. */
const PAGES = { entries: 30, bytes: 8_000_000 }
const PICTURES = { entries: 30, bytes: 12_000_000 }

/** A new release waits until the last page of the old one is closed: nobody's page changes under their hands. */
worker.addEventListener('install', (event) => event.waitUntil(fillShell()))
worker.addEventListener('activate', (event) => event.waitUntil(takeOver()))

worker.addEventListener('fetch', (event) => {
  const kind = kindOf(event.request, worker.location.origin)
  if (kind) event.respondWith(answers[kind](event))
})

worker.addEventListener('message', (event) => {
  const message = readMessage(event.data)
  if (!message) return
  const [port] = event.ports
  const { cacheName, page } = message
  const assets = isMemberCache(cacheName) ? [...page.assets, ...MEMBER_CODE] : page.assets
  const work = keepPage({ ...page, assets }, cacheName).catch(() => false)
  event.waitUntil(
    work.then(async (isKept) => {
      await Promise.all([trim(cacheNames.pages, PAGES), trim(cacheNames.pictures, PICTURES)])
      port?.postMessage(isKept)
    }),
  )
})

async function fillShell(): Promise<void> {
  await keepAssets(publicCode)
  for (const address of SHELL_PAGES) {
    const isKept = await keepPage({ address, assets: [], picture: null, title: '' }, shell)
    if (!isKept) throw new Error(`${address} cannot be kept`)
  }
}

async function takeOver(): Promise<void> {
  await worker.registration.navigationPreload?.enable()
  await worker.clients.claim()
  const pages = await Promise.all(SHELL_PAGES.map((address) => caches.match(address, { cacheName: shell })))
  const named = await Promise.all(pages.map(async (page) => assetsIn((await page?.text()) ?? '')))
  await purge(shell, [...publicCode, ...named.flat()])
}
