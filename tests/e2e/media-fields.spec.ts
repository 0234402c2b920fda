import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { type fileOf, pictureOf, silence } from '#tests/support/media-files.ts'
import {
  addPicture,
  alert,
  imageUrl,
  openForm,
  own,
  picker,
  storedPictures,
} from '#tests/support/media-screen.ts'
import { expect, type Page, test } from '#tests/support/site.ts'

const audioUrl = (page: Page) => page.getByLabel('Audio URL')

const upload = (page: Page, label: string, file: ReturnType<typeof fileOf> | string) =>
  page.locator(`input[type=file][aria-label="${label}"]`).setInputFiles(file)

const widthOf = (picture: HTMLElement | SVGElement) =>
  picture instanceof HTMLImageElement ? picture.naturalWidth : 0

/** A line slow enough to see an upload travel. */
const slowDown = async (page: Page) => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  const conditions = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 300_000 }
  await devtools.send('Network.emulateNetworkConditions', conditions)
}

/** A server that hangs up in the middle of what is sent to it. */
const hangingUp = async () => {
  const server = createServer((socket) => {
    let received = 0
    socket.on('error', () => undefined)
    socket.on('data', ({ length }) => {
      received += length
      if (received > 500_000) socket.destroy()
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return server
}

test.beforeEach(async ({ signInAs }) => {
  await signInAs('admin')
})

test('a picture is uploaded under its own name, kept without the origin, shown with it', async ({
  page,
  site,
}) => {
  const name = own('Émile & the sea.png')
  await openForm(page)
  await upload(page, 'Upload image', pictureOf(name))
  const stored = name.replace('É', 'E')
  await expect(imageUrl(page)).toHaveValue(
    `${site.url}/storage/v1/object/public/images/resource-images/${encodeURIComponent(stored)}`,
  )
  await expect(page.getByText(`${stored} is uploaded.`)).toBeVisible()
  await expect
    .poll(() => page.getByRole('img', { name: 'As it is chosen now' }).evaluate(widthOf))
    .toBeGreaterThan(0)
  expect(await storedPictures(site, stored)).toEqual([stored])
})

test('an upload shows how far it is, and cancelling it leaves nothing behind', async ({ page, site }) => {
  const name = own('slow.png')
  await openForm(page)
  const before = await imageUrl(page).inputValue()
  await slowDown(page)
  await upload(page, 'Upload image', pictureOf(name, 4_000_000))
  const progress = page.getByRole('progressbar', { name: `Uploading ${name}` })
  await expect.poll(() => progress.getAttribute('value').then(Number)).toBeGreaterThan(5)
  await page.getByRole('button', { name: 'Cancel upload' }).click()
  await expect(progress).toBeHidden()
  await expect(alert(page)).toBeHidden()
  await expect(imageUrl(page)).toHaveValue(before)
  expect(await storedPictures(site, name)).toEqual([])
})

test('a line that breaks in the middle of an upload is told, and what was typed stays', async ({
  page,
  expectConsoleErrors,
}) => {
  expectConsoleErrors()
  const server = await hangingUp()
  const { port } = server.address() as AddressInfo
  await page.route('**/storage/v1/upload/resumable/*', (route) =>
    route.request().method() === 'PATCH'
      ? route.continue({ url: `http://127.0.0.1:${port}/` })
      : route.fallback(),
  )
  await page.clock.install()
  await openForm(page)
  await page.getByLabel('Title').fill('Kept')
  await upload(page, 'Upload image', pictureOf(own('cut.png'), 4_000_000))
  // It is tried again and again, for 40 seconds.
  await expect(async () => {
    await page.clock.fastForward(20_000)
    await expect(alert(page)).toContainText('Failed to upload image', { timeout: 500 })
  }).toPass({ timeout: 20_000 })
  await expect(alert(page)).toContainText('The connection broke off. Please try again.')
  await page.keyboard.press('Escape')
  await expect(page.getByLabel('Title')).toHaveValue('Kept')
  await expect(page.getByRole('progressbar')).toHaveCount(0)
  server.close()
})

// A disk cannot be filled for a test: this is what the server answers when it is.
test('a full disk is told in its own words', async ({ page, expectConsoleErrors }) => {
  expectConsoleErrors()
  await page.route('**/storage/v1/upload/resumable', (route) =>
    route.fulfill({
      status: 507,
      json: { statusCode: '507', message: 'There is no room left to store files' },
    }),
  )
  await openForm(page)
  await upload(page, 'Upload image', pictureOf(own('full.png')))
  await expect(alert(page)).toContainText('Failed to upload image')
  await expect(alert(page)).toContainText('There is no room left to store files')
})

test('a name that is taken is refused, and the alert gives the focus back', async ({
  page,
  site,
  axeFindings,
}) => {
  const name = own('twice.png')
  await addPicture(site, name)
  await openForm(page)
  await page.getByRole('button', { name: 'Upload image' }).focus()
  await upload(page, 'Upload image', pictureOf(name))
  await expect(alert(page)).toContainText(
    `A file named "${name}" already exists. Please rename your file or choose a different one.`,
  )
  expect(await axeFindings(page, 'light')).toEqual([])
  expect(await axeFindings(page, 'dark')).toEqual([])
  await page.getByRole('button', { name: 'OK' }).click()
  await expect(page.getByRole('button', { name: 'Upload image' })).toBeFocused()
})

test('when the names cannot be read, nothing is uploaded', async ({ page, expectConsoleErrors }) => {
  expectConsoleErrors()
  await openForm(page)
  await page.route('**/storage/v1/object/list/images', (route) => route.abort())
  await upload(page, 'Upload image', pictureOf(own('unknown.png')))
  await expect(alert(page)).toHaveText(/^Failed to check for existing files/)
})

test('a picture can be dropped on its field', async ({ page }) => {
  const name = own('dropped.png')
  await openForm(page)
  const bytes = [...pictureOf(name).buffer]
  const dropped = await page.evaluateHandle(
    ([fileName, content]) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([new Uint8Array(content)], fileName, { type: 'image/png' }))
      return transfer
    },
    [name, bytes] as const,
  )
  await imageUrl(page).dispatchEvent('dragover', { dataTransfer: dropped })
  await imageUrl(page).dispatchEvent('drop', { dataTransfer: dropped })
  await expect(imageUrl(page)).toHaveValue(new RegExp(encodeURIComponent(name)))
})

test('a recording is uploaded, its length becomes the duration, and the picker plays it', async ({
  page,
  site,
}) => {
  const name = own('walk.wav')
  await openForm(page, 'podcast')
  await upload(page, 'Upload audio', silence(name, 7))
  await expect(audioUrl(page)).toHaveValue(
    `${site.url}/storage/v1/object/public/audio/resource-audio/${encodeURIComponent(name)}`,
  )
  await expect(page.getByLabel(/^Duration/)).toHaveValue('7')
  await page.getByRole('button', { name: 'Choose a recording…' }).click()
  const player = picker(page, 'Choose a recording').getByLabel(name, { exact: true })
  await expect(player).toHaveAttribute('preload', 'none')
})

test('a recording that cannot be played leaves the duration as it was', async ({ page, site }) => {
  await openForm(page, 'podcast')
  await page.getByLabel(/^Duration/).fill('90')
  const said = page.waitForEvent('console', (message) => message.text().includes('The duration stays'))
  await audioUrl(page).fill(`${site.url}/robots.txt`)
  await said
  await expect(page.getByLabel(/^Duration/)).toHaveValue('90')
})
