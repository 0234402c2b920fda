import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type fileOf, pictureOf, serviceStorage, silence } from '#tests/support/media-files.ts'
import { alert, imageUrl, openForm, own } from '#tests/support/media-screen.ts'
import type { ServerProcess } from '#tests/support/server-process.ts'
import { expect, type Page, test } from '#tests/support/site.ts'

/** A line to the storage that breaks once, after so many bytes, without a word to either end. */
const breakingLine = async ({ url }: ServerProcess, after: number) => {
  let sent = 0
  let onBroken = () => undefined as unknown
  const broken = new Promise<void>((resolve) => {
    onBroken = resolve
  })
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(new URL(url).port), '127.0.0.1')
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        client.destroy()
        upstream.destroy()
      })
    }
    client.on('data', (bytes) => {
      const before = sent
      sent += bytes.length
      upstream.write(bytes)
      if (before >= after || sent < after) return
      for (const socket of sockets) socket.destroy()
      onBroken()
    })
    upstream.pipe(client)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, broken, sent: () => sent, close: () => server.close() }
}

type Line = Awaited<ReturnType<typeof breakingLine>>

/** Sends what is uploaded in pieces over the line; the rest of the page goes to the server as always. */
const uploadOver = async (page: Page, line: Line) => {
  const offsets: number[] = []
  await page.route('**/storage/v1/upload/resumable/*', (route) => {
    const request = route.request()
    if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']))
    const { pathname } = new URL(request.url())
    return route.continue({ url: line.url + pathname })
  })
  return offsets
}

const choose = (page: Page, label: string, file: ReturnType<typeof fileOf>) =>
  page.locator(`input[type=file][aria-label="${label}"]`).setInputFiles(file)

const storedBytes = async (site: ServerProcess, bucket: string, path: string) => {
  const { data } = await serviceStorage(site).from(bucket).download(path)
  return Buffer.from(await (data ?? new Blob()).arrayBuffer())
}

test.beforeEach(async ({ signInAs, expectConsoleErrors }) => {
  // A line that breaks is told in the console, too.
  expectConsoleErrors()
  await signInAs('admin')
})

test('a recording goes on where the line broke, and is stored whole', async ({ page, site }) => {
  const file = silence(own('tunnel.wav'), 2500)
  const size = file.buffer.length
  const line = await breakingLine(site, size * 0.6)
  const offsets = await uploadOver(page, line)
  await openForm(page, 'podcast')
  await choose(page, 'Upload audio', file)
  await line.broken
  await expect(page.getByRole('progressbar', { name: `Uploading ${file.name}` })).toBeVisible()
  await expect(page.getByText(`${file.name} is uploaded.`)).toBeVisible({ timeout: 20_000 })
  await expect(alert(page)).toBeHidden()
  await expect(page.getByLabel('Audio URL')).toHaveValue(new RegExp(encodeURIComponent(file.name)))
  expect(file.buffer.equals(await storedBytes(site, 'audio', `resource-audio/${file.name}`))).toBe(true)
  // Only what had not arrived was sent again.
  expect(offsets.filter((offset) => offset === 0)).toEqual([0])
  expect(line.sent()).toBeLessThan(size * 1.4)
  line.close()
})

test('a picture whose line breaks is stored whole', async ({ page, site }) => {
  const file = pictureOf(own('tunnel.png'), 4_000_000)
  const line = await breakingLine(site, file.buffer.length * 0.6)
  await uploadOver(page, line)
  await openForm(page)
  await choose(page, 'Upload image', file)
  await line.broken
  await expect(page.getByText(`${file.name} is uploaded.`)).toBeVisible({ timeout: 20_000 })
  await expect(imageUrl(page)).toHaveValue(new RegExp(encodeURIComponent(file.name)))
  expect(file.buffer.equals(await storedBytes(site, 'images', `resource-images/${file.name}`))).toBe(true)
  line.close()
})

test('an upload waits while the browser is offline, and then goes on', async ({ page, site }) => {
  const file = silence(own('long tunnel.wav'), 1500)
  const line = await breakingLine(site, file.buffer.length * 0.6)
  const offsets = await uploadOver(page, line)
  await page.clock.install()
  await openForm(page, 'podcast')
  await choose(page, 'Upload audio', file)
  const progress = page.getByRole('progressbar', { name: `Uploading ${file.name}` })
  await expect(progress).toBeVisible()
  await line.broken
  await page.context().setOffline(true)
  for (let minute = 0; minute < 5; minute++) await page.clock.fastForward(60_000)
  await expect(progress).toBeVisible()
  await expect(alert(page)).toBeHidden()
  await page.context().setOffline(false)
  await expect(page.getByText(`${file.name} is uploaded.`)).toBeVisible({ timeout: 20_000 })
  expect(file.buffer.equals(await storedBytes(site, 'audio', `resource-audio/${file.name}`))).toBe(true)
  expect(offsets.filter((offset) => offset === 0)).toEqual([0])
  line.close()
})
