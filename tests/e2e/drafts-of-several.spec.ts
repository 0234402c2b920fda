import { openSessionFor, serviceLibrary } from '#tests/support/members.ts'
import { expect, type Page, storeSession, test } from '#tests/support/site.ts'
import { continueOn, draft, expectSaved, formScreen, typeAndKeep } from './form-screen.ts'

const image_url = '/reading-placeholder.png'
const _wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
/** The page goes without being asked whether it may. */
const _close = (page: Page) => page.close({ runBeforeUnload: false })

const _pictureOn = (page: Page) => new URL('/apple-touch-icon.png', page.url()).href

test('Logout asks while something is unsaved, and the draft waits for its author alone', async ({
  page,
  site,
  signInAs,
  axeFindings,
}) => {
  test.setTimeout(90_000)
  const account = await signInAs('admin')
  await page.goto('/resources/new')
  const form = formScreen(page)
  await typeAndKeep(page, 'Not for everybody')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(form.dialog).toHaveAccessibleName('Leave without saving?')
  await expect(form.dialog.getByRole('button', { name: 'Keep editing' })).toBeFocused()
  expect(await axeFindings(page, 'light')).toEqual([])
  await page.keyboard.press('Escape')
  await expect(form.title).toHaveValue('Not for everybody')
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()

  await page.getByRole('button', { name: 'Logout' }).click()
  await form.dialog.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('link', { name: 'Login' })).toBeVisible()
  await signInAs('admin')
  await page.goto('/resources/new')
  await expect(form.title).toBeVisible()
  await expect(form.draftOffer).toHaveCount(0)

  await storeSession(page, await openSessionFor(site, account))
  await continueOn(page, 'Not for everybody')
  await expect(form.title).toHaveValue('Not for everybody')
})

test('whoever logs out on a shared computer can leave nothing behind', async ({ page, site, signInAs }) => {
  const account = await signInAs('admin')
  await page.goto('/resources/new')
  await typeAndKeep(page, 'Still secret')
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.getByRole('checkbox', { name: /delete all my drafts/ }).check()
  await formScreen(page).dialog.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL('/')
  await storeSession(page, await openSessionFor(site, account))
  await page.goto('/resources/new')
  await expect(formScreen(page).title).toBeVisible()
  await expect(formScreen(page).draftOffer).toHaveCount(0)
})

test('an old draft meets what a colleague saved since: what only they changed is taken, the rest is asked', async ({
  page,
  site,
  signInAs,
  addResource,
  axeFindings,
}) => {
  test.setTimeout(90_000)
  const { id } = await addResource({ title: 'Old title', description: 'Old words.', location: '', image_url })
  await signInAs('admin')
  await page.goto(`/resources/edit/${id}`)
  const form = formScreen(page)
  await form.grade.fill('6-8')
  await typeAndKeep(page, 'My title')
  page.on('dialog', (dialog) => dialog.accept())
  await page.goto('/resources')
  const rest = serviceLibrary(site).from('resources')
  await rest.update({ title: 'Their title', description: 'Their words.' }).eq('id', id)

  await page.goto(`/resources/edit/${id}`)
  await expect(form.title).toHaveValue('Their title')
  await expect(draft(page, 'My title')).toContainText('changed: Title and Grade')
  await page.getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByRole('heading', { name: 'Somebody else changed this resource' })).toBeVisible()
  const title = page.getByRole('group', { name: 'Title' })
  await expect(title).toContainText('My title')
  await expect(title).toContainText('Their title')
  await expect(title.getByRole('radio', { checked: true })).toHaveCount(0)
  await expect(page.getByRole('group', { name: 'Description' }).getByLabel('Take theirs')).toBeChecked()
  await expect(page.getByRole('group', { name: 'Grade' })).toHaveCount(0)
  await expect(page.getByText('Still to choose: Title.')).toBeVisible()
  expect(await axeFindings(page, 'light')).toEqual([])
  expect(await axeFindings(page, 'dark')).toEqual([])
  await title.getByLabel('Take theirs').check()
  await page.getByRole('button', { name: 'Save again' }).click()
  await expectSaved(page, 'Their title')
  const { data } = await rest.select().eq('id', id).single()
  expect(data).toMatchObject({ title: 'Their title', description: 'Their words.', grade: '6-8' })
})

test('where two admins changed different fields, both changes are saved, and that is said', async ({
  page,
  site,
  signInAs,
  addResource,
}) => {
  const { id } = await addResource({ title: 'Old title', description: 'Old words.', image_url })
  await signInAs('admin')
  await page.goto(`/resources/edit/${id}`)
  await formScreen(page).title.fill('My title')
  const rest = serviceLibrary(site).from('resources')
  await rest.update({ description: 'Their words.' }).eq('id', id)
  await formScreen(page).save.click()
  await expectSaved(page, 'My title')
  await expect(page.getByText('It has what somebody else changed meanwhile: Description.')).toBeVisible()
  const { data } = await rest.select().eq('id', id).single()
  expect(data).toMatchObject({ title: 'My title', description: 'Their words.' })
})

test('what was typed for a resource that is gone by now becomes a new one', async ({
  page,
  site,
  signInAs,
  addResource,
  expectConsoleErrors,
}) => {
  // The browser logs the answer 406 for a row that is gone.
  expectConsoleErrors()
  const { id } = await addResource({ title: 'Gone tomorrow', image_url })
  await signInAs('admin')
  await page.goto(`/resources/edit/${id}`)
  await typeAndKeep(page, 'Worth keeping')
  page.on('dialog', (dialog) => dialog.accept())
  await page.goto('/resources')
  const rest = serviceLibrary(site).from('resources')
  await rest.delete().eq('id', id)
  await page.goto(`/resources/edit/${id}`)
  await page.getByRole('link', { name: 'Continue as a new resource' }).click()
  await expect(formScreen(page).title).toHaveValue('Worth keeping')
  await formScreen(page).add.click()
  await expectSaved(page, 'Worth keeping')
  const { data } = await rest.delete().eq('title', 'Worth keeping').select()
  expect(data).toHaveLength(1)
})
