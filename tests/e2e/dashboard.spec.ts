import { randomUUID } from 'node:crypto'
import { serviceLibrary } from '#tests/support/members.ts'
import type { ServerProcess } from '#tests/support/server-process.ts'
import { expect, type Page, test } from '#tests/support/site.ts'

const unique = (title: string) => `${title} ${randomUUID().slice(0, 8)}`
const today = () => new Date().toLocaleDateString('sv-SE')
const section = (page: Page, name: string | RegExp) => page.getByRole('region', { name })
const figure = (page: Page, name: string) =>
  page.locator('dl > div', { has: page.getByText(name, { exact: true }) }).getByRole('definition')
const countOf = async (site: ServerProcess, table: string) =>
  (await serviceLibrary(site).from(table).select('id', { count: 'exact', head: true })).count

for (const role of ['visitor', 'member'] as const) {
  test(`a ${role} who opens the dashboard comes to the home page`, async ({ page, signInAs }) => {
    if (role === 'member') await signInAs('member')
    await page.goto('/admin')
    await expect(page).toHaveURL(/\/$/)
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Growing together')
  })
}

test('the dashboard counts resources, users and the sessions of today, without reading a row', async ({
  page,
  site,
  signInAs,
  addResource,
}) => {
  await addResource({ category: 'session', date: today() })
  await addResource({ category: 'session', date: '2026-01-15' })
  await addResource({ category: 'webinar', date: today() })
  await signInAs('admin')
  const counts = new Set<string>()
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (request.method() === 'HEAD') counts.add(pathname + search)
  })
  await page.goto('/admin')
  await expect(figure(page, 'Total resources')).toHaveText(String(await countOf(site, 'resources')))
  await expect(figure(page, 'Total users')).toHaveText(String(await countOf(site, 'users')))
  await expect(figure(page, 'Active sessions')).toHaveText('1 1:1 sessions today')
  expect([...counts].sort()).toEqual([
    '/rest/v1/resources?select=id',
    `/rest/v1/resources?select=id&category=eq.session&date=eq.${today()}`,
    '/rest/v1/users?select=id',
  ])
})

test('counts that cannot be had are told in a red banner, and the rest of the dashboard stands', async ({
  page,
  signInAs,
  addResource,
  expectConsoleErrors,
}) => {
  expectConsoleErrors()
  const { title } = await addResource({ title: unique('Edited just now') })
  await signInAs('admin')
  await page.route('**/rest/v1/users?select=id', (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto('/admin')
  await expect(page.getByRole('alert')).toHaveText('Failed to load dashboard statistics')
  await expect(section(page, 'Recent changes').getByRole('link', { name: title, exact: true })).toBeVisible()
})

test('quick actions lead to new resources, all of them, and lists of the private and the featured ones', async ({
  page,
  signInAs,
  addResource,
}) => {
  const secret = await addResource({ title: unique('Members only'), public: false })
  const star = await addResource({ title: unique('In front'), featured: true })
  await signInAs('admin')
  await page.goto('/admin')
  const quick = page.getByRole('navigation', { name: 'Quick actions' })
  await expect(quick.getByRole('link', { name: 'New reading' })).toHaveAttribute(
    'href',
    '/resources/new?category=reading',
  )
  await expect(quick.getByRole('link', { name: 'New podcast' })).toHaveAttribute(
    'href',
    '/resources/new?category=podcast',
  )
  await expect(quick.getByRole('link', { name: 'All resources' })).toHaveAttribute('href', '/resources')

  await quick.getByRole('link', { name: 'Private resources' }).click()
  const privates = section(page, 'Private resources')
  await expect(privates.getByRole('link', { name: secret.title, exact: true })).toBeVisible()
  await expect(privates.getByText(star.title)).toHaveCount(0)

  await quick.getByRole('link', { name: 'Featured resources' }).click()
  const features = section(page, 'Featured resources')
  await expect(features.getByRole('link', { name: star.title, exact: true })).toBeVisible()
  await expect(features.getByText(secret.title)).toHaveCount(0)
  await page.goBack()
  await expect(privates).toBeVisible()
})

test('long lists come page by page, and a page that is gone shows the first', async ({
  page,
  site,
  signInAs,
  expectConsoleErrors,
}) => {
  // The browser logs the answer 416 of a page that is gone.
  expectConsoleErrors()
  const rest = serviceLibrary(site).from('resources')
  const title = unique('One of many')
  const many = Array.from({ length: 21 }, (_, n) => ({
    title: `${title} ${n}`,
    description: 'd',
    category: 'reading',
    public: false,
  }))
  await rest.insert(many)
  await signInAs('admin')
  await page.goto('/admin?show=private')
  const rows = section(page, 'Private resources').getByRole('listitem')
  await expect(rows).toHaveCount(20)
  await page.getByRole('link', { name: 'Next' }).click()
  await expect(page).toHaveURL(/page=2/)
  await expect(page.getByText(/Page 2 of \d/)).toBeVisible()
  await page.goto('/admin?show=private&page=9')
  await expect(page.getByText(/Page 1 of \d/)).toBeVisible()
  await rest.delete().like('title', `${title}%`)
})

test('what was deleted is listed, and restored from there', async ({ page, signInAs, addResource }) => {
  const { title } = await addResource({ title: unique('Regretted') })
  await signInAs('admin')
  await page.goto('/admin')
  await page.getByRole('button', { name: `Delete ${title}` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  const deleted = section(page, 'Recently deleted')
  await expect(deleted.getByText(title)).toBeVisible()
  await expect(section(page, 'Recent changes').getByText(title)).toHaveCount(0)
  await page.reload()
  await page.getByRole('button', { name: `Restore ${title}` }).click()
  await expect(section(page, 'Recent changes').getByRole('link', { name: title, exact: true })).toBeVisible()
  await expect(deleted.getByText(title)).toHaveCount(0)
})

test('all that was deleted can be reached by keyboard, page by page, and is counted', async ({
  page,
  site,
  signInAs,
}) => {
  const rest = serviceLibrary(site)
  const title = unique('Swept away')
  const many = Array.from({ length: 26 }, (_, n) => ({
    title: `${title} ${n}`,
    description: 'd',
    category: 'reading',
  }))
  await rest.from('resources').insert(many)
  await rest.from('resources').delete().like('title', `${title}%`)
  await signInAs('admin')
  await page.goto('/admin')
  const deleted = section(page, /^Recently deleted/)
  const rows = deleted.getByRole('listitem')
  await expect(rows).toHaveCount(20)
  const seen = await rows.allTextContents()
  const pages = Math.ceil(Number((await deleted.getByRole('heading').textContent())?.match(/\d+/)) / 20)
  for (let shown = 2; shown <= pages; shown++) {
    await deleted.getByRole('link', { name: 'Next' }).press('Enter')
    await expect(deleted.getByRole('status')).toHaveText(`Page ${shown} of ${pages}`)
    seen.push(...(await rows.allTextContents()))
  }
  await expect(deleted.getByRole('link', { name: 'Next' })).toHaveCount(0)
  // What was pressed is gone: the page is read from its beginning.
  await expect(deleted.getByRole('heading')).toBeFocused()
  await expect(deleted.getByRole('heading')).toHaveText(`Recently deleted ${seen.length}`)
  for (const { title: one } of many) expect(seen).toContainEqual(expect.stringContaining(`${one}Reading`))

  await page.goto('/admin?deleted=2')
  const last = deleted.getByRole('button', { name: `Restore ${title}` }).last()
  const name = (await last.getAttribute('aria-label'))?.replace('Restore ', '')
  await last.press('Enter')
  await expect(page.getByText(`“${name}” is back in the library.`)).toBeVisible()
  await expect(deleted.getByText(String(name), { exact: true })).toHaveCount(0)
  await deleted.getByRole('link', { name: 'Previous' }).press('Enter')
  await expect(page).toHaveURL('/admin')
  await rest.from('resources').delete().like('title', `${title}%`)
  await rest.from('deleted_resources').delete().like('title', `${title}%`)
})

test('the storage in use is told for pictures and recordings', async ({ page, signInAs }) => {
  await signInAs('admin')
  await page.goto('/admin')
  await expect(section(page, 'Storage in use').getByRole('definition').first()).toHaveText(
    /[\d.]+ MB in \d+ files/,
  )
})

for (const width of [320, 768, 1280]) {
  test(`the dashboard fits ${width} pixels, and axe finds nothing in either theme`, async ({
    page,
    signInAs,
    axeFindings,
  }) => {
    await signInAs('admin')
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/admin')
    await expect(section(page, 'Storage in use').getByRole('definition').first()).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    expect(await axeFindings(page, 'light')).toEqual([])
    expect(await axeFindings(page, 'dark')).toEqual([])
  })
}
