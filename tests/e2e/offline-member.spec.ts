import { cacheNames, isControlled, keptIn } from '#tests/support/offline.ts'
import { expect, type Page, test } from '#tests/support/site.ts'

test.use({ serviceWorkers: 'allow' })

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

test.describe('a member', () => {
  test('leaves nothing on the device that they did not ask for', async ({ page, signInAs, addResource }) => {
    const { id } = await addResource({ title: 'Read by a member' })
    await signInAs('member')
    await page.goto(`/resource/${id}`)
    await expect(page.getByRole('button', { name: 'Save Read by a member' })).toBeVisible()
    await expect.poll(() => isControlled(page), { timeout: 20_000 }).toBe(true)
    expect(await keptIn(page, 'pages')).toEqual([])
    expect((await cacheNames(page)).filter((name) => name.startsWith('member-'))).toEqual([])
  })

  test('keeps saved resources on the device, reads private ones offline, and takes all away by logging out', async ({
    page,
    context,
    signInAs,
    addResource,
    axeFindings,
    expectConsoleErrors,
  }) => {
    test.setTimeout(90_000)
    expectConsoleErrors()
    const content = Buffer.from('<p>Only for members, also on the train.</p>').toString('base64')
    const hidden = await addResource({ title: 'Kept and private', public: false, article_content: content })
    const open = await addResource({ title: 'Kept and public', article_content: content })
    const other = await addResource({ title: 'Not kept', article_content: content })
    const { id: member } = await signInAs('member', { saved: [hidden.id, open.id] })
    await page.goto('/profile')
    await page.getByRole('button', { name: 'Keep on this device' }).click()
    await expect(page.getByText('2 resources are kept on this device')).toBeVisible({ timeout: 20_000 })
    expect(await axeFindings(page)).toEqual([])

    await context.setOffline(true)
    await page.goto('/profile')
    await expect(page.getByRole('link', { name: 'Kept and private' })).toBeVisible()
    await page.getByRole('link', { name: 'Kept and private' }).click()
    await expect(page.locator('.article-host')).toContainText('also on the train')
    await page.goto(`/resource/${hidden.id}`)
    await expect(page.locator('.article-host')).toContainText('also on the train')
    await page.goto(`/resource/${open.id}`)
    await expect(page.locator('.article-host')).toContainText('also on the train')
    await page.goto(`/resource/${other.id}`)
    await expect(heading(page)).toHaveText('You are offline')

    await page.goto('/profile')
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect.poll(() => cacheNames(page)).not.toContain(`member-${member}`)
    await page.goto(`/resource/${hidden.id}`)
    await expect(heading(page)).toHaveText('You are offline')
  })

  test('whose token has expired on the way still reads what they kept', async ({
    page,
    context,
    signInAs,
    addResource,
    expectConsoleErrors,
  }) => {
    expectConsoleErrors()
    const content = Buffer.from('<p>Still here a day later.</p>').toString('base64')
    const { id } = await addResource({ title: 'Kept for long', public: false, article_content: content })
    await signInAs('member', { saved: [id] })
    await page.goto('/profile')
    await page.getByRole('button', { name: 'Keep on this device' }).click()
    await expect(page.getByText('1 resource is kept on this device')).toBeVisible({ timeout: 20_000 })
    await context.setOffline(true)
    await page.evaluate(() => {
      const session = JSON.parse(localStorage.getItem('walking-together-session') ?? '{}')
      localStorage.setItem(
        'walking-together-session',
        JSON.stringify({ ...session, expires_at: 1, expires_in: 1 }),
      )
    })
    await page.goto('/profile')
    await page.getByRole('link', { name: 'Kept for long' }).click()
    await expect(page.locator('.article-host')).toContainText('Still here a day later.')
    await page.goto(`/resource/${id}`)
    await expect(page.locator('.article-host')).toContainText('Still here a day later.')
  })
})
