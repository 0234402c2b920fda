import { openSessionFor, serviceLibrary } from '#tests/support/members.ts'
import { expect, test } from '#tests/support/site.ts'
import { expectSaved, formScreen, typeAndKeep } from './form-screen.ts'

const image_url = '/reading-placeholder.png'
const sessionKey = 'walking-together-session'

test('unsaved changes survive a reload and are offered back, to their author only', async ({
  page,
  signInAs,
  addResource,
}) => {
  const { id } = await addResource({ title: 'As it was', image_url })
  await signInAs('admin')
  await page.goto(`/resources/edit/${id}`)
  const form = formScreen(page)
  await typeAndKeep(page, 'Half a thought')
  page.on('dialog', (dialog) => dialog.accept())
  await page.reload()
  await expect(form.draftOffer).toContainText('“Half a thought”')
  await expect(form.title).toHaveValue('As it was')
  await page.getByRole('button', { name: 'Restore' }).click()
  await expect(form.title).toHaveValue('Half a thought')
  await expect(form.draftOffer).toBeHidden()

  await page.reload()
  await page.getByRole('button', { name: 'Discard' }).click()
  await form.dialog.getByRole('button', { name: 'Discard' }).click()
  await expect(form.draftOffer).toBeHidden()
  await page.reload()
  await expect(form.title).toHaveValue('As it was')
  await expect(form.draftOffer).toBeHidden()

  await typeAndKeep(page, 'Nobody else’s business')
  await signInAs('admin')
  await page.goto(`/resources/edit/${id}`)
  await expect(form.title).toHaveValue('As it was')
  await expect(form.draftOffer).toBeHidden()
})

test('leaving with unsaved changes asks', async ({ page, signInAs, axeFindings }) => {
  test.setTimeout(90_000)
  await signInAs('admin')
  await page.goto('/resources')
  await page.getByRole('link', { name: 'Add', exact: true }).click()
  const form = formScreen(page)
  await page.getByRole('link', { name: 'Cancel' }).click()
  await expect(page).toHaveURL('/resources')
  await page.getByRole('link', { name: 'Add', exact: true }).click()
  await form.title.fill('Not finished')
  await page.getByRole('link', { name: 'Cancel' }).click()
  await expect(form.dialog).toHaveAccessibleName('Leave without saving?')
  await expect(form.dialog.getByRole('button', { name: 'Keep editing' })).toBeFocused()
  expect(await axeFindings(page, 'light')).toEqual([])
  expect(await axeFindings(page, 'dark')).toEqual([])
  await page.keyboard.press('Escape')
  await expect(form.dialog).toBeHidden()
  await expect(form.title).toHaveValue('Not finished')

  await page.goBack()
  await form.dialog.getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL('/resources')
  await page.goto('/resources/new')
  await expect(form.draftOffer).toContainText('“Not finished”')
})

test('closing the page with unsaved changes asks in the browser’s own words', async ({ page, signInAs }) => {
  await signInAs('admin')
  await page.goto('/resources/new')
  await formScreen(page).title.fill('Not finished')
  const asked = page.waitForEvent('dialog')
  const closing = page.close({ runBeforeUnload: true })
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  await closing
})

test('the second of two admins is told, sees both versions, and chooses', async ({
  page,
  site,
  browser,
  signInAs,
  addAccount,
  addResource,
  axeFindings,
}) => {
  test.setTimeout(90_000)
  const { id } = await addResource({ title: 'Shared', description: 'Old words.', image_url })
  await signInAs('admin')
  await page.goto(`/resources/edit/${id}`)
  const form = formScreen(page)
  await form.title.fill('My title')

  const session = await openSessionFor(site, await addAccount('admin'))
  const context = await browser.newContext({ baseURL: site.url })
  await context.addInitScript(
    ([key = '', stored = '']) => localStorage.setItem(key, stored),
    [sessionKey, JSON.stringify(session)],
  )
  const other = await context.newPage()
  await other.goto(`/resources/edit/${id}`)
  await formScreen(other).title.fill('Their title')
  await formScreen(other).description.fill('Their words.')
  await formScreen(other).save.click()
  await expectSaved(other, 'Their title')
  await context.close()

  await form.save.click()
  await expect(page.getByRole('heading', { name: 'Somebody else changed this resource' })).toBeFocused()
  const title = page.getByRole('group', { name: 'Title' })
  await expect(title).toContainText('My title')
  await expect(title).toContainText('Their title')
  // What both changed is chosen for nobody: neither is overwritten by pressing once more.
  await expect(title.getByRole('radio', { checked: true })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Save again' })).toBeDisabled()
  await title.getByLabel('Keep mine').check()
  await expect(title.getByLabel('Keep mine')).toBeChecked()
  await expect(page.getByRole('group', { name: 'Description' }).getByLabel('Take theirs')).toBeChecked()
  await expect(page.getByRole('group', { name: 'Grade' })).toHaveCount(0)
  expect(await axeFindings(page, 'light')).toEqual([])
  expect(await axeFindings(page, 'dark')).toEqual([])
  await page.getByRole('button', { name: 'Save again' }).click()
  await expectSaved(page, 'My title')
  const { data } = await serviceLibrary(site).from('resources').select().eq('id', id).single()
  expect(data).toMatchObject({ title: 'My title', description: 'Their words.' })
})

test('what was deleted meanwhile can be saved as new', async ({ page, site, signInAs, addResource }) => {
  const { id } = await addResource({ title: 'Gone soon', image_url })
  const rest = serviceLibrary(site)
  await signInAs('admin')
  await page.goto(`/resources/edit/${id}`)
  const form = formScreen(page)
  await form.title.fill('Back again')
  await rest.from('resources').delete().eq('id', id)
  await form.save.click()
  await expect(page.getByRole('alert')).toContainText('This resource was deleted while you were editing it.')
  await page.getByRole('button', { name: 'Save as a new resource' }).click()
  await expectSaved(page, 'Back again')
  const { data } = await rest.from('resources').delete().eq('title', 'Back again').select()
  expect(data).toHaveLength(1)
  expect(data?.[0].id).not.toBe(id)
})

test('a session that has ended loses nothing: the form stays, and is saved after logging in again', async ({
  page,
  site,
  context,
  signInAs,
  addResource,
  expectConsoleErrors,
}) => {
  test.setTimeout(90_000)
  expectConsoleErrors()
  const { id } = await addResource({ title: 'Before the break', image_url })
  const account = await signInAs('admin')
  await page.goto(`/resources/edit/${id}`)
  const form = formScreen(page)
  await form.title.fill('After the break')
  const session = await openSessionFor(site, account)
  const expired = { ...session, expires_at: 1, refresh_token: 'aaaaaaaaaaaa' }
  await page.evaluate(
    ([key = '', stored = '']) => localStorage.setItem(key, stored),
    [sessionKey, JSON.stringify(expired)],
  )
  await form.save.click()
  await expect(page.getByRole('alert')).toContainText('Your session has ended.')
  await expect(form.title).toHaveValue('After the break')

  const opened = context.waitForEvent('page')
  await page.getByRole('link', { name: 'Log in (opens a new tab)' }).click()
  const login = await opened
  await login.getByLabel('E-mail').fill(account.email)
  await login.getByLabel('Password', { exact: true }).fill(account.password)
  await login.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(login).toHaveURL('/')
  await login.goto(`/resources/edit/${id}`)
  await expect(formScreen(login).draftOffer).toContainText('“After the break”')
  await login.close()

  await expect(page.getByRole('alert')).toBeHidden()
  await form.save.click()
  await expectSaved(page, 'After the break')
})

test('a full disk is said with what to do, and what was typed stays', async ({
  page,
  signInAs,
  expectConsoleErrors,
}) => {
  expectConsoleErrors()
  await signInAs('admin')
  const full = { code: '53100', message: 'There is no room left to save anything', details: null, hint: null }
  await page.route('**/rest/v1/resources*', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 503, json: full }) : route.continue(),
  )
  await page.goto('/resources/new')
  const form = formScreen(page)
  await form.title.fill('No room for it')
  await form.description.fill('Yet.')
  await form.add.click()
  await expect(page.getByRole('alert')).toContainText('no room left on the server’s disk')
  await expect(page.getByRole('alert')).toContainText('what you typed is kept')
  await expect(form.title).toHaveValue('No room for it')
})

test('pressing twice saves once, and a broken line keeps the form', async ({
  page,
  site,
  signInAs,
  expectConsoleErrors,
}) => {
  expectConsoleErrors()
  await signInAs('admin')
  await page.goto('/resources/new')
  const form = formScreen(page)
  await form.title.fill('Sent only once')
  await form.description.fill('Over a bad line.')
  await page.route('**/rest/v1/resources*', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.fallback(),
  )
  await form.add.click()
  await expect(page.getByRole('alert')).toContainText('The server cannot be reached.')
  await expect(form.title).toHaveValue('Sent only once')
  await page.unrouteAll()
  let sent = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && /rest\/v1\/resources/.test(request.url())) sent++
  })
  await form.add.evaluate((button: HTMLButtonElement) => {
    button.click()
    button.click()
  })
  await expectSaved(page, 'Sent only once')
  expect(sent).toBe(1)
  await serviceLibrary(site).from('resources').delete().eq('title', 'Sent only once')
})
