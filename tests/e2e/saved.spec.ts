import { randomUUID } from 'node:crypto'
import { serviceLibrary } from '#tests/support/members.ts'
import type { ServerProcess } from '#tests/support/server-process.ts'
import { expect, type Page, test } from '#tests/support/site.ts'

const heart = (page: Page, title: string) => page.getByRole('button', { name: `Save ${title}` })

/** What the server holds on somebody's list. */
async function savedOf(site: ServerProcess, id: string): Promise<string[]> {
  const { data } = await serviceLibrary(site).from('users').select('savedResources').eq('id', id).single()
  return data?.savedResources ?? []
}

test('visitors see no heart', async ({ page, addResource }) => {
  const { id } = await addResource({ title: 'For everyone to read' })
  await page.goto(`/resource/${id}`)
  await expect(page.getByRole('heading', { name: 'For everyone to read' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Save/ })).toHaveCount(0)
})

test('a heart in the listing saves without opening the resource, and is still pressed on the next visit', async ({
  page,
  site,
  signInAs,
  addResource,
  axeFindings,
}) => {
  const title = `Worth keeping ${randomUUID().slice(0, 8)}`
  const { id } = await addResource({ title })
  const member = await signInAs('member')
  await page.goto(`/resources?q=${encodeURIComponent(title)}`)
  await expect(heart(page, title)).toHaveAttribute('aria-pressed', 'false')
  await heart(page, title).click()
  await expect(heart(page, title)).toHaveAttribute('aria-pressed', 'true')
  await expect(page).toHaveURL(/\/resources\?/)
  await expect.poll(() => savedOf(site, member.id)).toEqual([id])
  expect(await axeFindings(page, 'light')).toEqual([])
  expect(await axeFindings(page, 'dark')).toEqual([])

  await page.goto(`/resource/${id}`)
  await expect(heart(page, title)).toHaveAttribute('aria-pressed', 'true')
  await heart(page, title).press('Enter')
  await expect(heart(page, title)).toHaveAttribute('aria-pressed', 'false')
  await expect.poll(() => savedOf(site, member.id)).toEqual([])
})

test('what the server refuses is taken back, with a message', async ({
  page,
  signInAs,
  addResource,
  expectConsoleErrors,
}) => {
  expectConsoleErrors()
  const { id, title } = await addResource({ title: 'Refused today' })
  await signInAs('member')
  await page.route('**/rest/v1/rpc/save_resource', (route) =>
    route.fulfill({ status: 500, json: { message: 'no' } }),
  )
  await page.goto(`/resource/${id}`)
  await heart(page, title).click()
  await expect(
    page.getByRole('status').filter({ hasText: 'This could not be saved. Please try again.' }),
  ).toBeVisible()
  await expect(heart(page, title)).toHaveAttribute('aria-pressed', 'false')
})

test('a double click saves and unsaves, in this order', async ({ page, site, signInAs, addResource }) => {
  const { id, title } = await addResource({ title: 'Pressed twice' })
  const member = await signInAs('member')
  const calls: string[] = []
  page.on('request', (request) => {
    const name = /rpc\/(\w+)/.exec(request.url())?.[1]
    if (name?.endsWith('save_resource')) calls.push(name)
  })
  await page.goto(`/resource/${id}`)
  await heart(page, title).dblclick()
  await expect(heart(page, title)).toHaveAttribute('aria-pressed', 'false')
  await expect.poll(() => calls).toEqual(['save_resource', 'unsave_resource'])
  await expect.poll(() => savedOf(site, member.id)).toEqual([])
})

test('two tabs lose nothing, and show each other what they saved', async ({
  page,
  site,
  context,
  signInAs,
  addResource,
}) => {
  const one = await addResource({ title: 'Saved in one tab' })
  const two = await addResource({ title: 'Saved in the other tab' })
  const member = await signInAs('member')
  await page.goto(`/resource/${one.id}`)
  const other = await context.newPage()
  await other.goto(`/resource/${two.id}`)
  await Promise.all([heart(page, one.title).click(), heart(other, two.title).click()])
  await expect
    .poll(async () => (await savedOf(site, member.id)).toSorted())
    .toEqual([one.id, two.id].toSorted())
  await other.goto(`/resource/${one.id}`)
  await expect(heart(other, one.title)).toHaveAttribute('aria-pressed', 'true')
  await heart(other, one.title).click()
  await expect(heart(page, one.title)).toHaveAttribute('aria-pressed', 'false')
})

test.describe('private resources', () => {
  const fields = {
    public: false,
    article_content: Buffer.from('<p>Only for members.</p>').toString('base64'),
  }

  test('appear in the listing right after signing in, and go with the session', async ({
    page,
    addAccount,
    addResource,
    expectConsoleErrors,
  }) => {
    expectConsoleErrors()
    const { title } = await addResource({ ...fields, title: `Kept ${randomUUID().slice(0, 8)}` })
    const account = await addAccount('member')
    const link = page.getByRole('link', { name: title })
    let loads = 0
    page.on('load', () => loads++)
    await page.goto(`/login`)
    await page.getByLabel('E-mail').fill(account.email)
    await page.getByLabel('Password', { exact: true }).fill(account.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page).toHaveURL('/')
    await page.getByRole('link', { name: 'Explore Resources' }).first().click()
    await page.getByRole('searchbox').fill(title)
    await expect(link).toBeVisible()
    await link.click()
    await expect(page.getByText('Only for members.')).toBeVisible()
    expect(loads).toBe(1)

    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(
      page.getByText('This resource is private and requires authentication to view.'),
    ).toBeVisible()
  })

  test('a member opens one by its address; a visitor is told that it is private', async ({
    page,
    signInAs,
    addResource,
    expectConsoleErrors,
  }) => {
    expectConsoleErrors()
    const { id, title } = await addResource({ ...fields, title: 'By its address' })
    await page.goto(`/resource/${id}`)
    await expect(
      page.getByText('This resource is private and requires authentication to view.'),
    ).toBeVisible()
    await signInAs('member')
    await page.goto(`/resource/${id}`)
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await expect(page.getByText('Only for members.')).toBeVisible()
    await expect(page).toHaveTitle(`${title} · Walking Together`)
  })

  test('an unknown id is not found for a member', async ({ page, signInAs, expectConsoleErrors }) => {
    expectConsoleErrors()
    await signInAs('member')
    await page.goto(`/resource/${randomUUID()}`)
    await expect(page.getByText('Resource not found.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Go Back' })).toBeVisible()
  })

  test('are among what Home and the related resources show to members', async ({
    page,
    signInAs,
    addResource,
  }) => {
    const { id } = await addResource({ title: 'Open to all', category: 'webinar' })
    const { title } = await addResource({
      ...fields,
      title: 'Featured for members',
      category: 'webinar',
      featured: true,
      date: '2099-01-01',
    })
    await page.goto('/')
    await expect(page.getByRole('heading', { name: 'From the library' })).toBeVisible()
    await expect(page.getByRole('link', { name: title })).toHaveCount(0)
    await signInAs('member')
    await page.goto('/')
    await expect(page.getByRole('link', { name: title })).toBeVisible()
    await page.goto(`/resource/${id}`)
    await expect(page.getByRole('link', { name: title })).toBeVisible()
  })
})
