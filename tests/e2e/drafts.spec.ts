import { docx, picture as docxPicture, paragraph } from '#tests/support/docx.ts'
import { serviceLibrary } from '#tests/support/members.ts'
import { expect, type Page, test } from '#tests/support/site.ts'
import { continueOn, draft, expectSaved, formScreen, typeAndKeep, wordExport } from './form-screen.ts'

const _image_url = '/reading-placeholder.png'
const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
/** The page goes without being asked whether it may. */
const close = (page: Page) => page.close({ runBeforeUnload: false })

const pictureOn = (page: Page) => new URL('/apple-touch-icon.png', page.url()).href

/** Everything that can be typed or chosen in the form of a new reading, apart from the title. */
async function fillEverything(page: Page) {
  const form = formScreen(page)
  await form.articleFile.setInputFiles({ name: 'sleep.htm', mimeType: 'text/html', buffer: wordExport })
  await expect(form.link).toHaveValue('word/sleep.htm')
  await form.description.fill('What I wrote.')
  await form.imageUrl.fill(pictureOn(page))
  await page.getByLabel('Alt text').fill('A bed')
  await form.grade.fill('6-8')
  await page.getByLabel('Gender').selectOption('female')
  await page.getByLabel('Location').fill('Berlin')
  await form.duration.fill('90')
  await form.date.fill('2026-03-01')
  await form.link.fill('https://example.org/sleep')
  await page.getByLabel('Public').uncheck()
  await page.getByLabel('Featured').check()
}

async function expectEverything(page: Page, title: string) {
  const form = formScreen(page)
  await expect(form.title).toHaveValue(title)
  await expect(form.description).toHaveValue('What I wrote.')
  await expect(form.imageUrl).toHaveValue(pictureOn(page))
  await expect(page.getByLabel('Alt text')).toHaveValue('A bed')
  await expect(form.grade).toHaveValue('6-8')
  await expect(page.getByLabel('Gender')).toHaveValue('female')
  await expect(page.getByLabel('Location')).toHaveValue('Berlin')
  await expect(form.duration).toHaveValue('90')
  await expect(form.date).toHaveValue('2026-03-01')
  await expect(form.link).toHaveValue('https://example.org/sleep')
  await expect(page.getByLabel('Public')).not.toBeChecked()
  await expect(page.getByLabel('Featured')).toBeChecked()
  await page.getByText(/^Article text \(/).click()
  await expect(page.getByLabel('Article HTML')).toHaveValue(/put the phone to bed/)
}

test('a tab that is closed loses nothing of what was typed or chosen', async ({
  page,
  context,
  signInAs,
}) => {
  await signInAs('admin')
  await page.goto('/resources/new')
  await fillEverything(page)
  await formScreen(page).title.fill('Typed two seconds ago')
  await page.waitForTimeout(2_000)
  await close(page)
  const next = await context.newPage()
  await continueOn(next, 'Typed two seconds ago')
  await expectEverything(next, 'Typed two seconds ago')
})

test('what was typed a moment before the tab was closed is there too', async ({
  page,
  context,
  signInAs,
}) => {
  await signInAs('admin')
  await page.goto('/resources/new')
  await formScreen(page).title.fill('Typed just now')
  await close(page)
  const next = await context.newPage()
  await continueOn(next, 'Typed just now')
  await expect(formScreen(next).title).toHaveValue('Typed just now')
})

test('a page that crashes loses nothing of what was typed or chosen', async ({ page, context, signInAs }) => {
  await signInAs('admin')
  await page.goto('/resources/new')
  await fillEverything(page)
  await formScreen(page).title.fill('Typed before the crash')
  await page.waitForTimeout(2_000)
  const crashed = page.waitForEvent('crash')
  await page.goto('chrome://crash').catch(() => undefined)
  await crashed
  const next = await context.newPage()
  await continueOn(next, 'Typed before the crash')
  await expectEverything(next, 'Typed before the crash')
})

test('a new reading and a new podcast, here and in another tab, are drafts of their own', async ({
  page,
  context,
  signInAs,
  axeFindings,
}) => {
  test.setTimeout(90_000)
  await signInAs('admin')
  await page.goto('/resources/new?category=reading')
  await typeAndKeep(page, 'A reading of mine')
  await page.goto('/resources/new?category=podcast')
  await typeAndKeep(page, 'A podcast of mine')
  const other = await context.newPage()
  await other.goto('/resources/new?category=podcast')
  await expect(draft(other, 'A podcast of mine')).toContainText('open in another tab')
  await expect(draft(other, 'A podcast of mine').getByRole('button', { name: 'Discard' })).toHaveCount(0)
  await typeAndKeep(other, 'A second podcast')
  await close(page)
  await expect(draft(other, 'A podcast of mine')).not.toContainText('open in another tab')
  await close(other)

  const next = await context.newPage()
  await next.goto('/resources/new')
  const form = formScreen(next)
  await expect(form.draftOffer.getByRole('status')).toContainText('You have 3 drafts that are not saved.')
  await expect(draft(next, 'A reading of mine')).toContainText(/Reading · \w+ \d+, 20\d\d/)
  await expect(draft(next, 'A second podcast')).toContainText(/Podcast · /)
  expect(await axeFindings(next, 'light')).toEqual([])
  expect(await axeFindings(next, 'dark')).toEqual([])
  await draft(next, 'A podcast of mine').getByRole('button', { name: 'Continue' }).click()
  await expect(form.title).toHaveValue('A podcast of mine')
  await expect(form.category).toHaveValue('podcast')
  await draft(next, 'A reading of mine').getByRole('button', { name: 'Continue' }).click()
  await expect(form.title).toHaveValue('A reading of mine')
  await expect(form.category).toHaveValue('reading')
  await expect(draft(next, 'A podcast of mine')).toBeVisible()

  await draft(next, 'A second podcast').getByRole('button', { name: 'Discard' }).click()
  await form.dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(draft(next, 'A second podcast')).toBeVisible()
  await draft(next, 'A second podcast').getByRole('button', { name: 'Discard' }).click()
  await form.dialog.getByRole('button', { name: 'Discard' }).click()
  await expect(draft(next, 'A second podcast')).toHaveCount(0)
  await close(next)
  const last = await context.newPage()
  await last.goto('/resources/new')
  await expect(formScreen(last).draftOffer.getByRole('listitem')).toHaveCount(2)
})

test('what was typed before the category was changed can come back now or later', async ({
  page,
  context,
  signInAs,
}) => {
  await signInAs('admin')
  await page.goto('/resources/new')
  const form = formScreen(page)
  await form.title.fill('Begun as a reading')
  await form.category.selectOption('podcast')
  await expect(form.title).toHaveValue('')
  await typeAndKeep(page, 'Became a podcast')
  await close(page)
  const next = await context.newPage()
  await continueOn(next, 'Begun as a reading')
  await expect(formScreen(next).category).toHaveValue('reading')
  await expect(draft(next, 'Became a podcast')).toBeVisible()
})

test('what was saved is no draft any more', async ({ page, site, signInAs }) => {
  await signInAs('admin')
  await page.goto('/resources/new')
  await typeAndKeep(page, 'Finished')
  await formScreen(page).description.fill('All there.')
  await formScreen(page).add.click()
  await expectSaved(page, 'Finished')
  await page.goto('/resources/new')
  await expect(formScreen(page).draftOffer).toHaveCount(0)
  await serviceLibrary(site).from('resources').delete().eq('title', 'Finished')
})

test('a session that is ended in another tab keeps the form and its draft', async ({
  page,
  context,
  signInAs,
}) => {
  await signInAs('admin')
  await page.goto('/resources/new')
  await typeAndKeep(page, 'Logged out elsewhere')
  const other = await context.newPage()
  await other.goto('/')
  await other.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('alert')).toContainText('Your session has ended.')
  await expect(formScreen(page).title).toHaveValue('Logged out elsewhere')
})

test('an article with three pictures, millions of characters long, is kept whole', async ({
  page,
  context,
  signInAs,
}) => {
  test.setTimeout(90_000)
  await signInAs('admin')
  await page.goto('/resources/new')
  const pixels = Buffer.alloc(1_200_000, 7)
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), pixels])
  const names = ['a.png', 'b.png', 'c.png']
  const body = paragraph('Three pictures', 'Title') + names.map((name) => docxPicture(name, name)).join('')
  const buffer = Buffer.from(docx(body, Object.fromEntries(names.map((name) => [name, png]))))
  await formScreen(page).articleFile.setInputFiles({ name: 'three.docx', mimeType: wordType, buffer })
  await expect(formScreen(page).title).toHaveValue('Three pictures')
  await expect(page.getByText('Kept as a draft in this browser.')).toBeVisible()
  await page.getByText(/^Article text \(/).click()
  const long = await page.getByLabel('Article HTML').inputValue()
  expect(long.length).toBeGreaterThan(4_000_000)
  await page.waitForTimeout(2_000)
  await close(page)
  const next = await context.newPage()
  await continueOn(next, 'Three pictures')
  await next.getByText(/^Article text \(/).click()
  expect((await next.getByLabel('Article HTML').inputValue()) === long).toBe(true)
})

test('a browser that has no room says so before anybody leaves', async ({ page, site, signInAs }) => {
  await signInAs('admin')
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Storage.overrideQuotaForOrigin', { origin: site.url, quotaSize: 1 })
  await page.goto('/resources/new')
  const form = formScreen(page)
  await form.title.fill('Nowhere to go')
  await expect(page.getByRole('alert')).toContainText('This browser has no room to keep what you typed')
  await expect(page.getByText('Kept as a draft in this browser.')).toHaveCount(0)
  await page.getByRole('link', { name: 'Cancel' }).click()
  await expect(form.dialog).toContainText('they would be lost')
  await form.dialog.getByRole('button', { name: 'Keep editing' }).click()
  await expect(form.title).toHaveValue('Nowhere to go')
})
