import { randomUUID } from 'node:crypto'
import { adminApi, makeAccount, password, serviceLibrary } from '#tests/support/members.ts'
import { type ServerProcess, startServer } from '#tests/support/server-process.ts'
import { test as base, expect } from '#tests/support/site.ts'
import { startSite } from '#tests/support/site-server.ts'

/** The site of this test renders against a project at another origin: our own service, in a process of its own. */
const test = base.extend<object, { project: ServerProcess; hosted: ServerProcess }>({
  project: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from this pattern
    async ({}, use) => {
      const project = await startSite()
      await use(project)
      await project.remove()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  hosted: [
    async ({ project }, use) => {
      const hosted = await startServer({
        env: {
          SUPABASE_URL: project.url,
          SUPABASE_PUBLISHABLE_KEY: project.keys.publishable,
          SUPABASE_SECRET_KEY: project.keys.secret,
        },
      })
      await use(hosted)
      await hosted.remove()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
})

test.describe('a site whose data is a project of another origin', () => {
  test('shows the library with the pictures and recordings of the project', async ({
    page,
    project,
    hosted,
  }) => {
    await page.goto(`${hosted.url}/resources/reading`)
    const results = page.getByRole('region', { name: 'Results' })
    const picture = results.locator('img').first()
    await expect(picture).toHaveAttribute(
      'src',
      new RegExp(`^${project.url}/storage/v1/object/public/images/`),
    )
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0)

    await page.goto(`${hosted.url}/resources/podcast`)
    await results.getByRole('article').first().getByRole('link').click()
    await expect(page).toHaveURL(/\/resource\//)
    // The listing, with a player for each recording, is gone.
    await expect(page.getByRole('button', { name: 'Play', exact: true })).toHaveCount(1)
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
    await expect
      .poll(() =>
        page.locator('audio').evaluate((audio: HTMLAudioElement) => [audio.src, audio.currentTime > 0]),
      )
      .toEqual([expect.stringContaining(`${project.url}/storage/v1/object/public/audio/`), true])
  })

  test('signs a member in, shows what is private, saves, and signs out', async ({
    page,
    project,
    hosted,
    expectConsoleErrors,
  }) => {
    // For visitors, as the server renders it, the private page is not there.
    expectConsoleErrors()
    const hidden = randomUUID()
    const { error } = await serviceLibrary(project).from('resources').insert({
      id: hidden,
      title: 'Only for members of the project',
      description: 'Private',
      category: 'webinar',
      public: false,
    })
    expect(error).toBeNull()
    const account = await makeAccount(project, 'member')
    await page.goto(`${hosted.url}/login`)
    await page.getByLabel('E-mail').fill(account.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
    await expect(page).toHaveURL(`${hosted.url}/`)

    await page.goto(`${hosted.url}/resource/${hidden}`)
    await page.getByRole('button', { name: 'Save Only for members of the project' }).click()
    await expect
      .poll(
        async () => (await serviceLibrary(project).from('users').select().eq('id', account.id).single()).data,
      )
      .toMatchObject({ savedResources: [hidden] })
    await page.goto(`${hosted.url}/profile`)
    await expect(page.getByRole('link', { name: 'Only for members of the project' })).toBeVisible()
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
    await adminApi(project).deleteUser(account.id)
    await serviceLibrary(project).from('resources').delete().eq('id', hidden)
  })

  test('follows what is published within seconds, and mounts no protocol of its own', async ({
    page,
    request,
    project,
    hosted,
  }) => {
    const title = `Published in the project ${randomUUID()}`
    const listed = async () => (await request.get(`${hosted.url}/resources/community`)).text()
    expect(await listed()).not.toContain(title)
    const row = { title, description: 'New', category: 'community', public: true }
    const { data } = await serviceLibrary(project).from('resources').insert(row).select('id').single()
    await expect.poll(listed, { timeout: 20_000 }).toContain(title)
    await page.goto(`${hosted.url}/resources/community`)
    await expect(page.getByRole('link', { name: title })).toBeVisible()
    await serviceLibrary(project).from('resources').delete().eq('id', data?.id)

    for (const path of ['/rest/v1/resources', '/auth/v1/settings', '/storage/v1/bucket']) {
      expect((await request.get(hosted.url + path)).headers()['content-type']).toContain('text/html')
    }
  })
})
