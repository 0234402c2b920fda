import {
  audioIn,
  audioOf,
  leaveBehind,
  openEpisode,
  podcast,
  savedPositions,
  walk,
} from '#tests/support/player.ts'
import { expect, test } from '#tests/support/site.ts'

test.describe('the position', () => {
  test('is saved when somebody seeks, and found again after a reload', async ({ page }) => {
    const player = await openEpisode(page, walk)
    await player.bar.fill('62')
    expect(await savedPositions(page)).toEqual([
      { resourceId: walk.id, position: 62, timestamp: expect.any(Number) },
    ])
    await page.reload()
    await player.at('1:02')
    await expect.poll(() => audioIn(page, 'currentTime')).toBe(62)
  })

  test('is saved on pause', async ({ page }) => {
    const player = await openEpisode(page, walk)
    await player.play.click()
    await player.reaches(1)
    await player.pause.click()
    await expect(player.play).toBeVisible()
    const [saved] = await savedPositions(page)
    expect(saved?.position).toBeCloseTo(await audioIn(page, 'currentTime'), 2)
  })

  test('is saved while it plays, every 5 seconds', async ({ page }) => {
    const player = await openEpisode(page, walk)
    await player.speed.selectOption('2×')
    await player.play.click()
    const saved = async () => Number((await savedPositions(page))[0]?.position ?? 0)
    await expect.poll(saved).toBeGreaterThanOrEqual(5)
    const first = await saved()
    await expect.poll(saved).toBeGreaterThanOrEqual(first + 5)
    await expect(player.pause).toBeVisible()
  })

  test('is saved when the listener goes to another page of the site', async ({ page }) => {
    const player = await openEpisode(page, walk)
    await player.bar.fill('20')
    await player.play.click()
    await player.reaches(22)
    await page.getByRole('banner').getByRole('link', { name: 'Podcasts' }).click()
    await expect.poll(async () => (await savedPositions(page))[0]?.position).toBeGreaterThanOrEqual(22)
  })

  test('is saved when the listener leaves the site, or reloads', async ({ page }) => {
    const player = await openEpisode(page, walk)
    await player.play.click()
    await player.reaches(2)
    await page.reload()
    const [saved] = await savedPositions(page)
    expect(saved).toMatchObject({ resourceId: walk.id })
    expect(saved?.position).toBeGreaterThanOrEqual(2)
  })

  test('of the session goes before the one in the library', async ({ page, addResource }) => {
    const heard = await addResource(podcast(await audioOf(page), { lastPlayedPosition: 30 }))
    const player = await openEpisode(page, heard)
    await player.at('0:30')
    await leaveBehind(page, heard.id, 50)
    await page.reload()
    await player.at('0:50')
  })

  test('is not used beyond the end of the recording', async ({ page }) => {
    await leaveBehind(page, walk.id, 99_999)
    await openEpisode(page, walk)
    expect(await audioIn(page, 'currentTime')).toBe(0)
  })

  test('is 0 again, and forgotten, when the episode has ended', async ({ page }) => {
    const player = await openEpisode(page, walk)
    await player.bar.fill(String(Math.floor(await audioIn(page, 'duration')) - 1))
    await player.play.click()
    await expect(player.pause).toBeVisible()
    await expect(player.play).toBeVisible()
    await player.at('0:00')
    expect(await savedPositions(page)).toEqual([])
  })

  test('cannot be kept where the storage is blocked: the episode plays all the same', async ({
    page,
    expectConsoleErrors,
  }) => {
    // The router's scroll restoration complains.
    expectConsoleErrors()
    await page.addInitScript(() => {
      Object.defineProperty(window, 'sessionStorage', {
        get() {
          throw new DOMException('blocked', 'SecurityError')
        },
      })
    })
    const player = await openEpisode(page, walk)
    await player.speed.selectOption('2×')
    await player.play.click()
    await player.reaches(2)
    await player.restart.click()
    await player.pause.click()
    await expect(player.play).toBeVisible()
  })
})
