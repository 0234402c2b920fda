import { expect, type Page, test } from '#tests/support/site.ts'

const categories = [
  ['Reading', '/resources/reading'],
  ['Podcasts', '/resources/podcast'],
  ['Webinars', '/resources/webinar'],
  ['Community', '/resources/community'],
  ['1:1 Sessions', '/resources/session'],
] as const

const banner = (page: Page) => page.getByRole('banner')
const logo = (page: Page) => banner(page).getByRole('link', { name: 'Walking Together' })
const scrollY = (page: Page) => page.evaluate(() => window.scrollY)

test.describe('header', () => {
  test('leads to the five categories, to Home and to Login', async ({ page }) => {
    await page.goto('/about')
    const links = banner(page).getByRole('navigation', { name: 'Main' }).getByRole('link')
    await expect(links).toHaveText(categories.map(([label]) => label))
    for (const [label, path] of categories) {
      await expect(links.filter({ hasText: label })).toHaveAttribute('href', path)
    }
    await expect(banner(page).getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login')
    await logo(page).click()
    await expect(page).toHaveURL('/')
  })

  test('marks the category that is shown', async ({ page }) => {
    await page.goto('/resources/podcast?page=1')
    await expect(banner(page).getByRole('link', { name: 'Podcasts' })).toHaveAttribute('aria-current', 'page')
    await expect(banner(page).getByRole('link').and(page.locator('[aria-current]'))).toHaveCount(1)
  })

  test('shrinks after 10 px of scrolling, and moves nothing in the page', async ({ page }) => {
    await page.goto('/about')
    const middle = async () => {
      const box = await logo(page).boundingBox()
      return box ? box.y + box.height / 2 : Number.NaN
    }
    const heading = () =>
      page.evaluate(() => (document.querySelector('h1')?.getBoundingClientRect().top ?? 0) + window.scrollY)
    const before = { middle: await middle(), heading: await heading() }
    await page.evaluate(() => window.scrollTo(0, 10))
    await expect(banner(page)).not.toHaveAttribute('data-scrolled')
    await page.evaluate(() => window.scrollTo(0, 11))
    await expect.poll(middle).toBeCloseTo(before.middle - 12, 0)
    expect(await heading()).toBeCloseTo(before.heading, 0)
    await page.evaluate(() => window.scrollTo(0, 0))
    await expect.poll(middle).toBeCloseTo(before.middle, 0)
  })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } })
  const menu = (page: Page) => banner(page).locator('summary')
  const links = (page: Page) => banner(page).getByRole('navigation', { name: 'Main' }).getByRole('link')

  test('the menu holds the categories and Login, and closes when a page is chosen', async ({ page }) => {
    await page.goto('/about')
    await expect(links(page)).toHaveCount(0)
    await menu(page).click()
    await expect(links(page)).toHaveText([...categories.map(([label]) => label), 'Login'])
    await links(page).filter({ hasText: 'Podcasts' }).click()
    await expect(page).toHaveURL('/resources/podcast')
    await expect(links(page)).toHaveCount(0)
  })

  test('Escape closes the menu and gives the focus back', async ({ page }) => {
    await page.goto('/about')
    await menu(page).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await expect(links(page).first()).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(links(page)).toHaveCount(0)
    await expect(menu(page)).toBeFocused()
  })

  test('a press outside closes the menu', async ({ page }) => {
    await page.goto('/about')
    await menu(page).click()
    await expect(links(page)).not.toHaveCount(0)
    await page.mouse.click(180, 720)
    await expect(links(page)).toHaveCount(0)
  })

  test('axe finds nothing with the menu open, in either theme', async ({ page, axeFindings }) => {
    await page.goto('/login')
    await menu(page).click()
    expect(await axeFindings(page, 'light')).toEqual([])
    expect(await axeFindings(page, 'dark')).toEqual([])
  })

  test('Tab past the last link leaves and closes the menu, so that it covers nothing', async ({ page }) => {
    await page.goto('/about')
    await menu(page).click()
    await links(page).last().focus()
    await page.keyboard.press('Tab')
    await expect(links(page)).toHaveCount(0)
    await expect(page.getByRole('main').getByRole('link').first()).toBeFocused()
  })

  test('nothing is wider than the screen', async ({ page }) => {
    for (const path of ['/', '/about', '/privacy', '/login']) {
      await page.goto(path)
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(360)
    }
  })

  test.describe('without JavaScript', () => {
    test.use({ javaScriptEnabled: false })

    test('the menu opens too', async ({ page }) => {
      await page.goto('/about')
      await menu(page).click()
      await links(page).filter({ hasText: 'Reading' }).click()
      await expect(page).toHaveURL('/resources/reading')
    })
  })
})

test('the skip link is the first stop and leads past the header', async ({ page }) => {
  await page.goto('/about')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
})

test('the footer leads to everything else, and tells the year', async ({ page }) => {
  await page.goto('/')
  const footer = page.getByRole('contentinfo')
  for (const [label, path] of [
    ...categories,
    ['About us', '/about'],
    ['Privacy', '/privacy'],
    ['Terms', '/terms'],
  ]) {
    await expect(footer.getByRole('link', { name: label, exact: true })).toHaveAttribute('href', path ?? '')
  }
  await expect(footer.getByRole('link', { name: 'hello@example.org' })).toHaveAttribute(
    'href',
    'mailto:hello@example.org',
  )
  await expect(footer).toContainText(`© ${new Date().getFullYear()} Walking Together`)
})

test.describe('moving between pages', () => {
  test('starts each page at its top, and Back returns to where we were', async ({ page }) => {
    await page.goto('/')
    const about = page.getByRole('contentinfo').getByRole('link', { name: 'About us' })
    await about.scrollIntoViewIfNeeded()
    const left = await scrollY(page)
    expect(left).toBeGreaterThan(500)
    await about.click()
    await expect(page).toHaveTitle('About us · Walking Together')
    await expect.poll(() => scrollY(page)).toBe(0)
    await page.goBack()
    await expect(page).toHaveURL('/')
    await expect.poll(() => scrollY(page)).toBeGreaterThan(left - 50)
  })

  test('puts the focus on the heading of the new page', async ({ page }) => {
    await page.goto('/about')
    await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Privacy Policy' })).toBeFocused()
  })
})

test.describe('theme', () => {
  const background = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const choose = (page: Page, name: string) => page.getByRole('radio', { name }).check()
  const light = 'rgb(255, 250, 244)'
  const dark = 'rgb(26, 19, 16)'

  test('follows the device until the reader chooses, and the choice outlives a reload', async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto('/about')
    await expect(page.getByRole('radio', { name: 'System' })).toBeChecked()
    expect(await background(page)).toBe(light)
    await choose(page, 'Dark')
    expect(await background(page)).toBe(dark)
    await page.reload()
    expect(await background(page)).toBe(dark)
    await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked()
    await choose(page, 'System')
    expect(await background(page)).toBe(light)
  })

  test('is there before the first paint, as is the view mode', async ({ page }) => {
    await page.addInitScript(() => {
      localStorage.setItem('theme', 'dark')
      localStorage.setItem('view-mode', 'list')
      // Looks when <body> begins: nothing has been painted by then.
      new MutationObserver((_, observer) => {
        if (!document.body) return
        Object.assign(window, { seen: { ...document.documentElement.dataset } })
        observer.disconnect()
      }).observe(document, { childList: true, subtree: true })
    })
    await page.goto('/about')
    expect(await page.evaluate(() => Reflect.get(window, 'seen'))).toEqual({ theme: 'dark', view: 'list' })
  })

  test('changes in the other tabs too', async ({ page, context }) => {
    await page.goto('/about')
    const other = await context.newPage()
    await other.goto('/privacy')
    await choose(page, 'Dark')
    await expect.poll(() => background(other)).toBe(dark)
    await expect(other.getByRole('radio', { name: 'Dark' })).toBeChecked()
  })

  test('a value in the storage that is no theme is ignored', async ({ page }) => {
    await page.addInitScript(() => localStorage.setItem('theme', '"><script>'))
    await page.goto('/about')
    await expect(page.getByRole('radio', { name: 'System' })).toBeChecked()
  })
})
