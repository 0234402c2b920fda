import { expect, type Page } from '@playwright/test'
import drive from '../../content/podcasts/the-drive-home-after-practice/resource.json' with { type: 'json' }
import walk from '../../content/podcasts/the-ten-minute-walk/resource.json' with { type: 'json' }

export { drive, walk }

/** What a listener finds in an episode's player. */
export const playerOf = (page: Page, { title }: { title: string }) => {
  const player = page.getByRole('group', { name: `Podcast player: ${title}`, exact: true })
  const bar = player.getByRole('slider', { name: 'Seek' })
  return {
    bar,
    play: player.getByRole('button', { name: 'Play' }),
    pause: player.getByRole('button', { name: 'Pause' }),
    restart: player.getByRole('button', { name: 'Restart' }),
    back: player.getByRole('button', { name: 'Back 15 seconds' }),
    forward: player.getByRole('button', { name: 'Forward 15 seconds' }),
    speed: player.getByRole('combobox', { name: 'Speed' }),
    status: player.getByRole('status'),
    at: (clock: string) => expect(player.getByText(clock, { exact: true }).first()).toBeVisible(),
    /** While it plays, when a single second may pass unseen. */
    reaches: (seconds: number) =>
      expect.poll(async () => Number(await bar.inputValue())).toBeGreaterThanOrEqual(seconds),
  }
}

/** Opens an episode's page and waits until its player is alive and knows the recording. */
export async function openEpisode(page: Page, episode: { id: string; title: string }) {
  await page.goto(`/resource/${episode.id}`)
  const player = playerOf(page, episode)
  await untilAlive(page)
  await expect.poll(() => audioIn(page, 'readyState')).toBeGreaterThan(0)
  return player
}

/** Opens the podcasts' listing and waits until its players are alive. */
export async function openPodcasts(page: Page) {
  await page.goto('/resources/podcast')
  await untilAlive(page)
}

// The server's HTML looks the same before the script has taken it over; only React's own mark tells them apart.
const untilAlive = (page: Page) =>
  page.waitForFunction(() =>
    Object.keys(document.querySelector('audio') ?? {}).some((key) => key.startsWith('__react')),
  )

/** A property of the page's first audio element. */
export const audioIn = (page: Page, property: 'readyState' | 'playbackRate' | 'duration' | 'currentTime') =>
  page.evaluate((name) => document.querySelector('audio')?.[name] ?? 0, property)

/** The position records of this browser session. */
export const savedPositions = async (page: Page): Promise<Record<string, unknown>[]> =>
  JSON.parse((await page.evaluate(() => sessionStorage.getItem('podcast-positions'))) ?? '[]')

/** What an earlier page of this browser session left behind. */
export const leaveBehind = (page: Page, resourceId: string, position: number) =>
  page.addInitScript((record) => sessionStorage.setItem('podcast-positions', JSON.stringify([record])), {
    resourceId,
    position,
    timestamp: 1,
  })

/** Fields of a podcast for `addResource`. */
export const podcast = (audioUrl: string, fields: Record<string, unknown> = {}) => ({
  category: 'podcast',
  title: 'An episode for this test',
  audioUrl,
  duration: 120,
  ...fields,
})

/** The address of the starter library's recording of a walk. */
export async function audioOf(page: Page) {
  await page.goto(`/resource/${walk.id}`)
  return (await page.locator('audio').first().getAttribute('src')) ?? ''
}
