import { expect, test } from '#tests/support/site.ts'
import { cards, filter, pages, popup, search } from './listing-screen.ts'

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('one can page, search, filter, choose a layout and read', async ({ page }) => {
    await page.goto('/resources')
    await pages(page).getByRole('link', { name: 'Page 2' }).click()
    await expect(page).toHaveURL(/page=2$/)
    await search(page).fill('sleep')
    await search(page).press('Enter')
    await expect(page).toHaveURL(/q=sleep/)
    await expect(cards(page).filter({ hasText: 'cannot fall asleep' })).toBeVisible()
    await page.getByRole('link', { name: 'List view' }).click()
    await expect(page).toHaveURL(/q=sleep&view=list$/)
    await filter(page).click()
    await popup(page).getByRole('group', { name: 'Grade' }).getByText('8', { exact: true }).click()
    await popup(page).getByRole('button', { name: /^Show/ }).click()
    await expect(page).toHaveURL(/grade=8/)
    await expect(page).toHaveURL(/view=list/)
    await cards(page).filter({ hasText: 'cannot fall asleep' }).getByRole('link').click()
    await expect(page.getByRole('heading', { level: 1 })).toContainText('cannot fall asleep')
  })

  test('one can hear a podcast', async ({ page }) => {
    await page.goto('/resources/podcast')
    await expect(cards(page).first().locator('audio[controls]')).toBeVisible()
  })
})
