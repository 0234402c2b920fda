import { randomUUID } from 'node:crypto'
import { localDate } from '#domain/dates.ts'
import { serviceLibrary } from '#tests/support/members.ts'
import type { ServerProcess } from '#tests/support/server-process.ts'
import { expect, test } from '#tests/support/site.ts'
import { expectSaved, formScreen, silence, wordExport } from './form-screen.ts'

const today = localDate(new Date())
const unique = (title: string) => `${title} ${randomUUID().slice(0, 8)}`

async function stored(site: ServerProcess, title: string) {
  const { data } = await serviceLibrary(site).from('resources').select().eq('title', title).single()
  return data
}

test.afterEach(async ({ site }) => {
  await serviceLibrary(site).from('resources').delete().eq('date', today).eq('location', 'Form test')
})

test('whoever is no admin goes to /', async ({ page, signInAs }) => {
  await page.goto('/resources/new')
  await expect(page).toHaveURL('/')
  await signInAs('member')
  await page.goto('/resources/new')
  await expect(page).toHaveURL('/')
})

test('an admin makes a reading from a Word export, and a visitor sees it at once', async ({
  page,
  site,
  signInAs,
  browser,
  axeFindings,
}) => {
  test.setTimeout(90_000)
  await signInAs('admin')
  await page.goto('/resources')
  await page.getByRole('link', { name: 'Add', exact: true }).click()
  const form = formScreen(page)
  await expect(form.imageUrl).toHaveValue(`${site.url}/reading-placeholder.png`)
  await expect(form.grade).toHaveValue('K-12')
  await expect(form.date).toHaveValue(today)
  await expect(page.getByText('More types are coming soon.')).toBeVisible()
  await expect(form.add).toBeDisabled()

  await form.articleFile.setInputFiles({ name: 'sleep.htm', mimeType: 'text/html', buffer: wordExport })
  await expect(form.title).toHaveValue("When sleep won't come")
  await expect(form.description).toHaveValue('Quiet evenings for tired teens.')
  await expect(form.link).toHaveValue('word/sleep.htm')
  await expect(
    page.getByText('Estimated from the text: 2 min. Type a number to set it yourself.'),
  ).toBeVisible()
  await expect(form.preview.getByRole('heading', { level: 1 })).toHaveText("When sleep won't come")
  await expect(form.preview.getByText(`She said "I can't switch off" - and she meant it.`)).toBeVisible()
  expect(await axeFindings(page, 'light')).toEqual([])
  expect(await axeFindings(page, 'dark')).toEqual([])

  const title = unique('When sleep stays away')
  await form.title.fill(title)
  await page.getByLabel('Location').fill('Form test')
  await form.add.click()
  await expectSaved(page, title)
  const row = await stored(site, title)
  expect(row).toMatchObject({ category: 'reading', public: true, grade: 'K-12', duration: 120, date: today })
  const visitor = await (await browser.newContext({ baseURL: site.url })).newPage()
  await visitor.goto(`/resource/${row?.id}`)
  await expect(visitor.getByText(`She said "I can't switch off"`)).toBeVisible()
  await expect(visitor.getByRole('link', { name: 'Edit' })).toHaveCount(0)
  await visitor.context().close()
})

test('a podcast has its length from the recording, which can be typed over', async ({
  page,
  site,
  signInAs,
}) => {
  await signInAs('admin')
  await page.goto('/resources/new?category=podcast')
  const form = formScreen(page)
  const title = unique('Silence')
  await expect(form.category).toHaveValue('podcast')
  await expect(form.imageUrl).toHaveValue('')
  await form.title.fill(title)
  await form.description.fill('Nothing to hear.')
  await page.getByLabel('Location').fill('Form test')
  await expect(page.getByText('Still needed: a recording.')).toBeVisible()
  await expect(form.add).toBeDisabled()
  const name = `${randomUUID()}.wav`
  await page.getByLabel(/Upload audio/).setInputFiles({ name, mimeType: 'audio/wav', buffer: silence(3) })
  await expect(form.duration).toHaveValue('3')
  await form.duration.fill('1.5')
  await form.add.click()
  await expect(page.getByText('Please enter a whole number of seconds, 0 or more.')).toBeVisible()
  await expect(form.duration).toBeFocused()
  await form.duration.fill('4')
  await form.add.click()
  await expectSaved(page, title)
  const row = await stored(site, title)
  expect(row).toMatchObject({ category: 'podcast', duration: 4, image_url: null })
  expect(row?.audioUrl).toMatch(/^\/storage\/v1\/object\/public\/audio\/resource-audio\//)
})

test('another category begins anew with its defaults, and what was typed can come back', async ({
  page,
  signInAs,
}) => {
  await signInAs('admin')
  await page.goto('/resources/new')
  const form = formScreen(page)
  await expect(form.category.locator('option')).toHaveText(['Reading', 'Podcast'])
  await form.title.fill('Typed for nothing?')
  await form.date.fill('2026-03-01')
  await form.category.selectOption('podcast')
  await expect(form.title).toHaveValue('')
  await expect(form.imageUrl).toHaveValue('')
  await expect(form.date).toHaveValue('2026-03-01')
  await page.getByRole('button', { name: 'Bring back what I had typed' }).click()
  await expect(form.category).toHaveValue('reading')
  await expect(form.title).toHaveValue('Typed for nothing?')
})

test('each field says what is wrong when it is left, the grade with every letter', async ({
  page,
  signInAs,
}) => {
  await signInAs('admin')
  await page.goto('/resources/new')
  const form = formScreen(page)
  await form.title.focus()
  await expect(page.getByText('Please enter a title.')).toBeHidden()
  await form.description.focus()
  await expect(form.title).toHaveAccessibleDescription(/Please enter a title\./)
  await form.title.fill('A title')
  await expect(page.getByText('Please enter a title.')).toBeHidden()
  await form.description.fill('A description')
  await expect(form.add).toBeEnabled()

  await form.grade.fill('')
  await form.grade.pressSequentially('9-')
  await expect(form.grade).toHaveAccessibleDescription(
    /^Grade must be in range format \(e\.g\., K-12, 6-8, 1-3\)\./,
  )
  await expect(form.add).toBeDisabled()
  await form.grade.pressSequentially('7')
  await expect(form.grade).toHaveAccessibleDescription(
    /^Starting grade must be less than or equal to ending grade/,
  )
  await form.grade.fill('k-5')
  await expect(form.grade).toHaveAttribute('aria-invalid', 'false')
  await form.link.focus()
  await expect(form.grade).toHaveValue('K-5')
  await form.grade.fill('')
  await form.link.focus()
  await expect(form.grade).toHaveValue('K-12')

  await form.imageUrl.fill('')
  await expect(form.add).toBeDisabled()
  await form.imageUrl.fill('not an address')
  await expect(form.add).toBeEnabled()
  await form.add.click()
  await expect(form.imageUrl).toBeFocused()
  await expect(form.imageUrl).toHaveAccessibleDescription(
    /Please enter an address that begins with https:\/\//,
  )
})

test('a change is saved with the date of today, and the listing shows it at once', async ({
  page,
  site,
  signInAs,
  addResource,
}) => {
  const { id, title } = await addResource({ title: unique('Before'), image_url: '/reading-placeholder.png' })
  await signInAs('admin')
  await page.goto(`/resources?q=${encodeURIComponent(title)}`)
  await page.getByRole('link', { name: `Edit ${title}` }).click()
  const form = formScreen(page)
  await expect(form.category).toBeDisabled()
  await expect(page.getByText('The date becomes today when you save.')).toBeVisible()
  const after = unique('After')
  await form.title.fill(after)
  await page.getByLabel('Featured').check()
  await page.route('**/rest/v1/resources?*', async (route) => {
    if (route.request().method() === 'PATCH')
      await expect(page.getByRole('button', { name: 'Saving...' })).toBeDisabled()
    await route.continue()
  })
  await form.save.click()
  await expectSaved(page, after)
  await expect(page.getByRole('article').filter({ hasText: after })).toBeVisible()
  const { data } = await serviceLibrary(site).from('resources').select().eq('id', id).single()
  expect(data).toMatchObject({ title: after, date: today, featured: true })
})

test('the server’s words stand in a red banner, and what was typed stays', async ({
  page,
  signInAs,
  addResource,
  expectConsoleErrors,
}) => {
  expectConsoleErrors()
  const { id } = await addResource({ image_url: '/reading-placeholder.png' })
  await signInAs('admin')
  await page.goto(`/resources/edit/${id}`)
  const form = formScreen(page)
  await expect(form.title).toHaveValue('A plain resource')
  await page.route('**/rest/v1/resources?*', (route) =>
    route.fulfill({ status: 400, json: { code: '23514', message: 'new row violates check constraint' } }),
  )
  await form.title.fill('Not today')
  await form.save.click()
  await expect(page.getByRole('alert')).toHaveText('new row violates check constraint')
  await expect(form.title).toHaveValue('Not today')
  await page.unrouteAll()
  await page.goto(`/resources/edit/${randomUUID()}`)
  await expect(page.getByRole('alert')).toContainText('Resource not found.')
})

test('an article that is no HTML is refused in words; clearing asks first', async ({ page, signInAs }) => {
  await signInAs('admin')
  await page.goto('/resources/new')
  const form = formScreen(page)
  await form.articleFile.setInputFiles({
    name: 'a.html',
    mimeType: 'text/html',
    buffer: Buffer.from('no html'),
  })
  await expect(form.dialog).toContainText('The uploaded file does not appear to contain HTML content')
  await form.dialog.getByRole('button', { name: 'OK' }).click()
  await form.articleFile.setInputFiles({ name: 'sleep.htm', mimeType: 'text/html', buffer: wordExport })
  await page.getByText(/^Article text \(/).click()
  await expect(page.getByLabel('Article HTML')).toHaveValue(/put the phone to bed/)
  await page.getByRole('button', { name: 'Clear article' }).click()
  await form.dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByLabel('Article HTML')).toHaveValue(/put the phone to bed/)
  await page.getByRole('button', { name: 'Clear article' }).click()
  await form.dialog.getByRole('button', { name: 'Clear article' }).click()
  await expect(page.getByLabel('Article HTML')).toHaveValue('')
})

test('Edit and Add are there for admins only', async ({ page, signInAs, addResource }) => {
  const { id, title } = await addResource({ title: unique('For everyone') })
  const listing = `/resources/podcast?q=${encodeURIComponent(title)}`
  await signInAs('member')
  await page.goto(`/resource/${id}`)
  await expect(page.getByRole('button', { name: `Save ${title}` })).toBeVisible()
  await expect(page.getByRole('link', { name: `Edit ${title}` })).toHaveCount(0)
  await page.goto(listing)
  await expect(page.getByRole('link', { name: 'Add', exact: true })).toHaveCount(0)
  await signInAs('admin')
  await page.goto(listing)
  await expect(page.getByRole('link', { name: 'Add', exact: true })).toHaveAttribute(
    'href',
    '/resources/new?category=podcast',
  )
  await page.goto(`/resource/${id}`)
  await page.getByRole('link', { name: `Edit ${title}` }).click()
  await expect(page).toHaveURL(`/resources/edit/${id}`)
})
