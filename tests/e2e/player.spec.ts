import {
  audioIn,
  drive,
  leaveBehind,
  openEpisode,
  openPodcasts,
  playerOf,
  podcast,
  savedPositions,
  walk,
} from '#tests/support/player.ts'
import { expect, test } from '#tests/support/site.ts'

test.describe('the controls', () => {
  test('an episode plays and pauses', async ({ page }) => {
    const player = await openEpisode(page, walk)
    await player.play.click()
    await expect(player.pause).toBeVisible()
    await player.reaches(1)
    await player.pause.click()
    await expect(player.play).toBeVisible()
  })

  test('the skip buttons go 15 seconds, and restart goes to the start', async ({ page }) => {
    const player = await openEpisode(page, walk)
    await player.bar.fill('60')
    await player.forward.click()
    await player.at('1:15')
    await player.back.click()
    await player.back.click()
    await player.at('0:45')
    await player.restart.click()
    await player.at('0:00')
    expect(await savedPositions(page)).toEqual([])
  })

  test('a click in the middle of the bar goes to the middle, and a double click restarts', async ({
    page,
  }) => {
    const player = await openEpisode(page, walk)
    await player.bar.click()
    const middle = (await audioIn(page, 'duration')) / 2
    expect(Math.abs((await audioIn(page, 'currentTime')) - middle)).toBeLessThan(1)
    await player.bar.dblclick()
    await player.at('0:00')
    expect(await savedPositions(page)).toEqual([])
  })

  test('the bar can be dragged; the recording moves when it is let go', async ({ page }) => {
    const player = await openEpisode(page, walk)
    const box = await player.bar.boundingBox()
    if (!box) throw new Error('the bar has no box')
    const y = box.y + box.height / 2
    await page.mouse.move(box.x + box.width / 4, y)
    await page.mouse.down()
    await page.mouse.move(box.x + (box.width * 3) / 4, y, { steps: 5 })
    expect(await audioIn(page, 'currentTime')).toBe(0)
    await page.mouse.up()
    const target = (await audioIn(page, 'duration')) * 0.75
    await expect.poll(async () => Math.abs((await audioIn(page, 'currentTime')) - target)).toBeLessThan(2)
  })

  test('the speed is kept for the session and read with care', async ({ page }) => {
    const player = await openEpisode(page, walk)
    await expect(player.speed.getByRole('option')).toHaveText(['0.5×', '0.75×', '1×', '1.25×', '1.5×', '2×'])
    await player.speed.selectOption('1.5×')
    expect(await audioIn(page, 'playbackRate')).toBe(1.5)
    await page.reload()
    await expect(player.speed).toHaveValue('1.5')
    await expect.poll(() => audioIn(page, 'playbackRate')).toBe(1.5)
    await page.evaluate(() => sessionStorage.setItem('podcast-speed', '17'))
    await page.reload()
    await expect.poll(() => audioIn(page, 'readyState')).toBeGreaterThan(0)
    await expect(player.speed).toHaveValue('1')
  })
})

test.describe('the keyboard', () => {
  test('moves the bar, which says where it is', async ({ page }) => {
    const player = await openEpisode(page, walk)
    await player.bar.focus()
    for (const [key, said] of [
      ['ArrowRight', '5 seconds'],
      ['PageUp', '20 seconds'],
      ['l', '35 seconds'],
      ['PageDown', '20 seconds'],
      ['ArrowLeft', '15 seconds'],
      ['j', '0 seconds'],
      ['ArrowUp', '5 seconds'],
      ['Home', '0 seconds'],
    ] as const) {
      await page.keyboard.press(key)
      await expect(player.bar).toHaveAttribute(
        'aria-valuetext',
        new RegExp(`^${said} of \\d+ minutes? \\d+ seconds?$`),
      )
    }
  })

  test('plays and pauses by Space on the bar and by K everywhere in the player', async ({ page }) => {
    const player = await openEpisode(page, walk)
    await player.bar.focus()
    await page.keyboard.press('Space')
    await expect(player.pause).toBeVisible()
    await page.keyboard.press('k')
    await expect(player.play).toBeVisible()
    await player.forward.focus()
    await page.keyboard.press('K')
    await expect(player.pause).toBeVisible()
    // Space on a button is that button's own.
    await page.keyboard.press('Space')
    await expect(player.pause).toBeVisible()
    await expect.poll(() => audioIn(page, 'currentTime')).toBeGreaterThan(14)
  })

  test('is the page’s own outside the player', async ({ page }) => {
    const player = await openEpisode(page, walk)
    await page.keyboard.press('Space')
    await page.keyboard.press('k')
    await page.keyboard.press('l')
    await expect(player.play).toBeVisible()
    expect(await audioIn(page, 'currentTime')).toBe(0)
  })
})

test.describe('several players', () => {
  test('on one page: starting one pauses the other', async ({ page }) => {
    await openPodcasts(page)
    const [first, second] = [playerOf(page, walk), playerOf(page, drive)]
    await first.play.click()
    await first.reaches(1)
    await second.play.click()
    await expect(first.play).toBeVisible()
    await expect(second.pause).toBeVisible()
    await second.reaches(1)
  })

  test('in two tabs: starting one pauses the other', async ({ page, context }) => {
    const here = await openEpisode(page, walk)
    await here.play.click()
    await here.reaches(1)
    const there = await openEpisode(await context.newPage(), drive)
    await there.play.click()
    await there.reaches(1)
    await expect(here.play).toBeVisible()
    await expect(there.pause).toBeVisible()
  })

  test('on a listing download nothing before they are asked, and begin where the listener was', async ({
    page,
  }) => {
    const audio: string[] = []
    page.on('request', (request) => request.resourceType() === 'media' && audio.push(request.url()))
    await leaveBehind(page, walk.id, 40)
    await openPodcasts(page)
    const player = playerOf(page, walk)
    await player.at('0:40')
    expect(audio).toEqual([])
    await player.play.click()
    await player.reaches(41)
    expect(new Set(audio).size).toBe(1)
  })

  test('share the system’s media controls', async ({ page }) => {
    await openPodcasts(page)
    const shown = () => page.evaluate(() => navigator.mediaSession.metadata?.title)
    expect(await shown()).toBeUndefined()
    await playerOf(page, walk).play.click()
    await expect.poll(shown).toBe(walk.title)
    await playerOf(page, drive).play.click()
    await expect.poll(shown).toBe(drive.title)
    expect(await page.evaluate(() => navigator.mediaSession.metadata?.artist)).toBe('Walking Together')
  })
})

test('the lock screen’s buttons work', async ({ page }) => {
  await page.addInitScript(() => {
    const { mediaSession } = navigator
    const setActionHandler = mediaSession.setActionHandler.bind(mediaSession)
    mediaSession.setActionHandler = (action, handler) => {
      setActionHandler(action, handler)
      document.addEventListener(`press-${action}`, () => handler?.({ action, seekTime: 60 }))
    }
  })
  const player = await openEpisode(page, walk)
  const press = (action: string) =>
    page.evaluate((name) => document.dispatchEvent(new Event(`press-${name}`)), action)
  await player.play.click()
  await expect(player.pause).toBeVisible()
  await press('pause')
  await expect(player.play).toBeVisible()
  await press('seekto')
  await player.at('1:00')
  await press('seekforward')
  await player.at('1:15')
  await press('seekbackward')
  await player.at('1:00')
  await press('play')
  await expect(player.pause).toBeVisible()
  await press('stop')
  await expect(player.play).toBeVisible()
})

test.describe('on a phone', () => {
  test.use({ hasTouch: true, viewport: { width: 360, height: 740 } })

  test('a tap on the bar seeks, and everything is large enough for a thumb', async ({ page }) => {
    const player = await openEpisode(page, walk)
    await player.bar.tap()
    const middle = (await audioIn(page, 'duration')) / 2
    await expect.poll(async () => Math.abs((await audioIn(page, 'currentTime')) - middle)).toBeLessThan(1)
    for (const target of [
      player.restart,
      player.back,
      player.play,
      player.forward,
      player.speed,
      player.bar,
    ]) {
      const box = await target.boundingBox()
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
    }
  })
})

test.describe('when something is missing', () => {
  test('a damaged recording shows a paused player and says so', async ({ page, addResource }) => {
    const damaged = await addResource(podcast('/favicon.svg'))
    await page.goto(`/resource/${damaged.id}`)
    const player = playerOf(page, damaged)
    await expect(player.status).toHaveText("This recording can't be played right now.")
    await player.play.click()
    await expect(player.status).toHaveText("This recording can't be played right now.")
    await expect(player.play).toBeVisible()
  })

  test('a recording that did not load is tried again, from where the listener was', async ({
    page,
    expectConsoleErrors,
  }) => {
    expectConsoleErrors()
    let isOnline = false
    await page.route('**/*.mp3', (route) => (isOnline ? route.continue() : route.abort()))
    await leaveBehind(page, walk.id, 40)
    await page.goto(`/resource/${walk.id}`)
    const player = playerOf(page, walk)
    await expect(player.status).not.toBeEmpty()
    isOnline = true
    await player.play.click()
    await player.reaches(41)
    await expect(player.status).toBeEmpty()
  })

  test.describe('such as JavaScript', () => {
    test.use({ javaScriptEnabled: false })

    test('the browser’s own player is there instead', async ({ page }) => {
      await page.goto(`/resource/${walk.id}`)
      await expect(page.locator('audio[controls]')).toBeVisible()
      await expect(playerOf(page, walk).play).toBeHidden()
    })
  })
})
