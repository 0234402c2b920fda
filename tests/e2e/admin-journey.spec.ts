import { randomUUID } from 'node:crypto'
import { picture } from '#tests/support/media.ts'
import { serviceLibrary } from '#tests/support/members.ts'
import { expect, type Page, test } from '#tests/support/site.ts'
import { expectSaved, formScreen, silence, wordExport } from './form-screen.ts'

const mark = randomUUID().slice(0, 8)
const reading = `When sleep stays away ${mark}`
const edited = `When sleep comes back ${mark}`
const podcast = `A quiet minute ${mark}`
const searchFor = (words: string) => `/resources?q=${encodeURIComponent(words)}`
const card = (page: Page, title: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title }) })

test.afterAll(async ({ site }) => {
  await serviceLibrary(site).from('resources').delete().like('title', `%${mark}`)
})

/** What a visitor finds in a browser of their own, asked anew each time. */
async function openVisitor(page: Page, url: string) {
  const context = await page.context().browser()?.newContext({ baseURL: url })
  if (!context) throw new Error('no browser')
  const visitor = await context.newPage()
  return {
    visitor,
    finds: async (title: string) => {
      await visitor.goto(searchFor(title))
      await expect(card(visitor, title)).toBeVisible()
    },
    misses: async (title: string) => {
      await visitor.goto(searchFor(title))
      await expect(visitor.getByRole('heading', { name: 'No resources match' })).toBeVisible()
    },
    leave: () => context.close(),
  }
}

test('an editor publishes from Word and from a recording; a visitor sees each change at once', async ({
  page,
  site,
  addAccount,
}) => {
  test.slow()
  const { email, password } = await addAccount('admin')
  const { visitor, finds, misses, leave } = await openVisitor(page, site.url)
  const form = formScreen(page)

  await test.step('signs in', async () => {
    await page.goto('/login')
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page).toHaveURL('/')
  })

  await test.step('creates a reading from a Word export, with an uploaded picture', async () => {
    await page.getByRole('link', { name: /^Your profile/ }).click()
    await page.getByRole('link', { name: 'Admin Dashboard' }).click()
    await page.getByRole('link', { name: 'New reading' }).click()
    await form.articleFile.setInputFiles({ name: 'sleep.htm', mimeType: 'text/html', buffer: wordExport })
    await expect(form.title).toHaveValue("When sleep won't come")
    const photo = { name: `${mark}.jpg`, mimeType: 'image/jpeg', buffer: await picture(1200, 800) }
    await page.getByLabel(/Upload image/).setInputFiles(photo)
    await expect(form.imageUrl).toHaveValue(new RegExp(`/resource-images/${mark}\\.jpg$`))
    await form.title.fill(reading)
    await form.add.click()
    await expectSaved(page, reading)
    await finds(reading)
    await card(visitor, reading).getByRole('link').first().click()
    await expect(visitor.getByText(`She said "I can't switch off"`)).toBeVisible()
    await expect(visitor.getByRole('main').locator('img').first()).toHaveJSProperty('complete', true)
  })

  await test.step('edits it', async () => {
    await page.goto(searchFor(reading))
    await page.getByRole('link', { name: `Edit ${reading}` }).click()
    await form.title.fill(edited)
    await form.save.click()
    await expectSaved(page, edited)
    await finds(edited)
    await misses(reading)
  })

  await test.step('creates a podcast with an uploaded recording, and features it', async () => {
    await page.goto('/resources/new?category=podcast')
    await form.title.fill(podcast)
    await form.description.fill('Breathe in, breathe out.')
    const recording = { name: `${mark}.wav`, mimeType: 'audio/wav', buffer: silence(2) }
    await page.getByLabel(/Upload audio/).setInputFiles(recording)
    await expect(form.duration).toHaveValue('2')
    await form.add.click()
    await expectSaved(page, podcast)
    await finds(podcast)
    await expect(card(visitor, podcast).getByText('Featured')).toHaveCount(0)
    await page.goto(searchFor(podcast))
    await page.getByRole('link', { name: `Edit ${podcast}` }).click()
    await page.getByLabel('Featured').check()
    await form.save.click()
    await expectSaved(page, podcast)
    await finds(podcast)
    await expect(card(visitor, podcast).getByText('Featured')).toBeVisible()
  })

  await test.step('makes the reading private', async () => {
    await page.goto(searchFor(edited))
    await page.getByRole('link', { name: `Edit ${edited}` }).click()
    await page.getByLabel('Public', { exact: false }).uncheck()
    await form.save.click()
    await expectSaved(page, edited)
    await misses(edited)
  })

  await test.step('deletes the podcast, and undoes it', async () => {
    await page.goto(searchFor(podcast))
    await page.getByRole('button', { name: `Delete ${podcast}` }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText(`“${podcast}” is deleted.`)).toBeVisible()
    await misses(podcast)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText(`“${podcast}” is back in the library.`)).toBeVisible()
    await finds(podcast)
  })
  await leave()
})
