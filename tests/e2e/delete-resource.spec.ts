import { randomUUID } from 'node:crypto'
import { picture, storePicture } from '#tests/support/media.ts'
import { serviceLibrary } from '#tests/support/members.ts'
import { expect, type Page, settled, test } from '#tests/support/site.ts'

const unique = (title: string) => `${title} ${randomUUID().slice(0, 8)}`
const deleteButton = (page: Page, title: string) => page.getByRole('button', { name: `Delete ${title}` })
const dialog = (page: Page) => page.getByRole('alertdialog')
const searchFor = (title: string) => `/resources?q=${encodeURIComponent(title)}`
/** Opens the question and says yes to it. */
async function remove(page: Page, title: string): Promise<void> {
  await deleteButton(page, title).click()
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
}

for (const role of ['visitor', 'member'] as const) {
  test(`a ${role} is offered no deletion`, async ({ page, signInAs, addResource }) => {
    const { id, title } = await addResource({ title: unique('Not yours to delete') })
    if (role === 'member') await signInAs('member')
    const code: string[] = []
    page.on('request', (request) => /delete-button/.test(request.url()) && code.push(request.url()))
    for (const path of [searchFor(title), `/resource/${id}`]) {
      await page.goto(path)
      await expect(page.getByRole('heading', { name: title })).toBeVisible()
      await settled(page)
      await expect(deleteButton(page, title)).toHaveCount(0)
    }
    expect(code).toEqual([])
  })
}

test('what an admin deletes is gone for everybody at once, and undoing brings it back as it was', async ({
  page,
  site,
  browser,
  signInAs,
  addAccount,
  addResource,
}) => {
  const { id, title } = await addResource({ title: unique('Deleted in error') })
  const member = await addAccount('member', { saved: [id] })
  const savedList = async () =>
    (await serviceLibrary(site).from('users').select('savedResources').eq('id', member.id).single()).data
  await signInAs('admin')
  const visitor = await (await browser.newContext({ baseURL: site.url })).newPage()
  await visitor.goto(searchFor(title))
  await expect(visitor.getByRole('link', { name: title, exact: true })).toBeVisible()

  await page.goto(searchFor(title))
  await remove(page, title)
  await expect(page.getByText(`“${title}” is deleted.`)).toBeVisible()
  await expect(page.getByRole('link', { name: title, exact: true })).toHaveCount(0)
  await visitor.reload()
  await expect(visitor.getByRole('heading', { name: 'No resources match' })).toBeVisible()
  await visitor.goto(`/resource/${id}`)
  await expect(
    visitor.getByText('This resource is private and requires authentication to view.'),
  ).toBeVisible()
  expect(await savedList()).toEqual({ savedResources: [] })

  // The focus is on Undo: nobody has to look for it.
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: title, exact: true })).toBeVisible()
  await expect(page.getByText(`“${title}” is back in the library.`)).toBeVisible()
  await visitor.reload()
  await expect(visitor.getByRole('heading', { name: title })).toBeVisible()
  expect(await savedList()).toEqual({ savedResources: [id] })
  await visitor.context().close()
})

test('the question names the resource, begins on Cancel, and Escape keeps everything', async ({
  page,
  signInAs,
  addResource,
  axeFindings,
}) => {
  const { title } = await addResource({ title: unique('To be kept') })
  await signInAs('admin')
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto(searchFor(title))
  await deleteButton(page, title).press('Enter')
  await expect(page.getByRole('alertdialog', { name: `Delete “${title}”?` })).toBeVisible()
  await expect(dialog(page).getByRole('button', { name: 'Cancel' })).toBeFocused()
  expect(await axeFindings(page, 'light')).toEqual([])
  expect(await axeFindings(page, 'dark')).toEqual([])
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await expect(deleteButton(page, title)).toBeFocused()
  await page.reload()
  await expect(page.getByRole('link', { name: title, exact: true })).toBeVisible()
})

test('from its own page the way leads to the listing of its category', async ({
  page,
  signInAs,
  addResource,
}) => {
  const { id, title } = await addResource({ title: unique('Read and deleted'), category: 'webinar' })
  await signInAs('admin')
  await page.goto(`/resource/${id}`)
  await remove(page, title)
  await expect(page).toHaveURL(/\/resources\/webinar$/)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('link', { name: title, exact: true })).toBeVisible()
})

test('Undo waits for half a minute, and longer for whoever is about to press it', async ({
  page,
  signInAs,
  addResource,
}) => {
  const { title } = await addResource({ title: unique('Slowly regretted') })
  await signInAs('admin')
  await page.clock.install()
  await page.goto(searchFor(title))
  await deleteButton(page, title).press('Enter')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  const undo = page.getByRole('button', { name: 'Undo' })
  await expect(undo).toBeFocused()
  await page.clock.fastForward(90_000)
  await expect(undo).toBeVisible()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.clock.fastForward(20_000)
  await expect(undo).toBeVisible()
  await page.clock.fastForward(40_000)
  await expect(undo).toHaveCount(0)
})

test('the form offers the deletion too', async ({ page, signInAs, addResource }) => {
  const { id, title } = await addResource({ title: unique('Edited, then deleted') })
  await signInAs('admin')
  await page.goto(`/resources/edit/${id}`)
  await remove(page, title)
  await expect(page).toHaveURL(/\/resources$/)
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused()
})

test('a deletion that the server refuses is told, and changes nothing', async ({
  page,
  signInAs,
  addResource,
  expectConsoleErrors,
}) => {
  expectConsoleErrors()
  const { title } = await addResource({ title: unique('Still there') })
  await signInAs('admin')
  await page.goto(searchFor(title))
  await page.route('**/rest/v1/resources?id=**', (route) =>
    route.request().method() === 'DELETE' ? route.fulfill({ status: 500, json: {} }) : route.fallback(),
  )
  await remove(page, title)
  await expect(page.getByText('Failed to delete resource. Please try again.')).toBeVisible()
  await page.getByRole('button', { name: 'OK' }).click()
  await expect(page.getByRole('link', { name: title, exact: true })).toBeVisible()
})

test('an undo that comes too late says why', async ({
  page,
  site,
  signInAs,
  addResource,
  expectConsoleErrors,
}) => {
  expectConsoleErrors()
  const { id, title } = await addResource({ title: unique('Gone for good') })
  await signInAs('admin')
  await page.goto(searchFor(title))
  await remove(page, title)
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  await serviceLibrary(site).from('deleted_resources').delete().eq('id', id)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('This resource is not among the deleted ones any more.')).toBeVisible()
})

test('a picture that is used elsewhere stays, and the question says where it is used', async ({
  page,
  site,
  signInAs,
  addResource,
}) => {
  const image_url = await storePicture(site, await picture(64, 36))
  const { title } = await addResource({ title: unique('Shares its picture'), image_url })
  const other = await addResource({ title: unique('Has the same picture'), image_url })
  await signInAs('admin')
  await page.goto(searchFor(title))
  await deleteButton(page, title).click()
  await expect(dialog(page).getByText('Its picture stays, because it is used here too:')).toBeVisible()
  await expect(dialog(page).getByRole('checkbox')).toHaveCount(0)
  await dialog(page).getByRole('link', { name: other.title }).click()
  await expect(page).toHaveURL(new RegExp(`/resource/${other.id}$`))
  await expect(dialog(page)).toHaveCount(0)
})

test('a picture that nothing else uses goes when asked, but only when it cannot be undone any more', async ({
  page,
  site,
  signInAs,
  addResource,
}) => {
  const image_url = await storePicture(site, await picture(64, 36))
  const { id, title } = await addResource({ title: unique('Takes its picture along'), image_url })
  await signInAs('admin')
  await page.goto(searchFor(title))
  await deleteButton(page, title).click()
  await dialog(page)
    .getByRole('checkbox', { name: /Also delete its picture/ })
    .check()
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  const status = async () => (await fetch(site.url + image_url)).status

  await page.goto('/admin')
  await expect(page.getByText('its files go with it after 30 days')).toBeVisible()
  expect(await status()).toBe(200)

  const deleted = serviceLibrary(site).from('deleted_resources')
  await deleted.update({ deleted_at: new Date(Date.now() - 31 * 24 * 3600_000).toISOString() }).eq('id', id)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Recently deleted' })).toBeVisible()
  await expect.poll(status).not.toBe(200)
  await expect.poll(async () => (await deleted.select('id').eq('id', id)).data).toEqual([])
  await expect(page.getByText(title)).toHaveCount(0)
})
