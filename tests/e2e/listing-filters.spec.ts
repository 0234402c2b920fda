import { expect, test } from '#tests/support/site.ts'
import { cards, count, filter, open, popup, search } from './listing-screen.ts'

test.describe('filtering', () => {
  test('by grade contains it in the range, counts on the button, and can be cleared', async ({
    page,
    addResource,
  }) => {
    await addResource({ title: 'Filtered in', grade: 'K-8', location: 'Testland', gender: 'female' })
    await addResource({ title: 'Filtered out', grade: '9-12', location: 'Testland', gender: 'male' })
    await open(page, '/resources?page=2')
    await filter(page).click()
    await popup(page).getByRole('group', { name: 'Grade' }).getByText('7', { exact: true }).click()
    await expect(page).toHaveURL(/\?grade=7$/)
    await popup(page).getByRole('group', { name: 'Gender' }).getByText('Female').click()
    await expect(page).toHaveURL(/\?grade=7&gender=female$/)
    await popup(page).getByLabel('Location').selectOption('Testland')
    await expect(page).toHaveURL(/\?grade=7&gender=female&location=Testland$/)
    await popup(page).getByRole('button', { name: 'Show 1 resource' }).click()
    await expect(popup(page)).toBeHidden()
    await expect(filter(page)).toHaveAccessibleName('Filter 3 active')
    await expect(cards(page)).toHaveCount(1)
    await expect(cards(page)).toContainText('Filtered in')

    await page.getByRole('link', { name: 'Remove filter Gender: Female' }).click()
    await expect(filter(page)).toHaveAccessibleName('Filter 2 active')
    await filter(page).click()
    await popup(page).getByRole('link', { name: 'Clear' }).click()
    await expect(page).toHaveURL(/\/resources$/)
    await expect(popup(page).getByRole('radio', { name: 'Any' }).first()).toBeChecked()
    await expect(popup(page).getByLabel('Location')).toHaveValue('')
  })

  test('offers grades 6 to 12, four genders and the locations there are', async ({ page }) => {
    await open(page, '/resources')
    await filter(page).click()
    const options = async (name: string) =>
      popup(page).getByRole('group', { name }).getByRole('radio').count()
    expect(await options('Grade')).toBe(1 + 7)
    expect(await options('Gender')).toBe(1 + 4)
    await expect(
      popup(page).getByLabel('Location').getByRole('option', { name: 'California' }),
    ).toBeAttached()
  })

  test('is undone by Back and done again by Forward, also in the fields', async ({ page }) => {
    await open(page, '/resources')
    await filter(page).click()
    await popup(page).getByRole('group', { name: 'Grade' }).getByText('12', { exact: true }).click()
    await expect(page).toHaveURL(/grade=12$/)
    await page.goBack()
    await expect(page).toHaveURL(/\/resources$/)
    await expect(popup(page).getByRole('radio', { name: '12' })).not.toBeChecked()
    await page.goForward()
    await expect(popup(page).getByRole('radio', { name: '12' })).toBeChecked()
  })

  test('works by keyboard alone', async ({ page }) => {
    await open(page, '/resources')
    await filter(page).focus()
    await page.keyboard.press('Enter')
    await expect(popup(page).getByRole('radio', { name: 'Any' }).first()).toBeFocused()
    await page.keyboard.press('ArrowRight')
    await expect(page).toHaveURL(/grade=6$/)
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowRight')
    await expect(page).toHaveURL(/grade=6&gender=all$/)
    await page.keyboard.press('Escape')
    await expect(popup(page)).toBeHidden()
    await expect(filter(page)).toBeFocused()
  })

  test('is a sheet within reach of the thumb on a phone', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await open(page, '/resources')
    await filter(page).click()
    // It slides in; then it stands on the lower edge, as wide as the screen.
    const edges = async () => {
      const box = await popup(page).boundingBox()
      return box && [box.x, box.width, Math.round(box.y + box.height)]
    }
    await expect.poll(edges).toEqual([0, 360, 740])
    await page.mouse.click(180, 20)
    await expect(popup(page)).toBeHidden()
  })

  test('that leaves nothing offers a way out and a way in', async ({ page }) => {
    await open(page, '/resources?q=nothing+is+called+this&grade=9')
    await expect(count(page)).toHaveText('0 resources found')
    await expect(page.getByRole('heading', { name: 'No resources match' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Login Required' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Log In', exact: true })).toHaveAttribute('href', '/login')
    await page.getByRole('link', { name: 'Clear search and filters' }).click()
    await expect(page).toHaveURL(/\/resources$/)
    await expect(search(page)).toHaveValue('')
    await expect(cards(page).first()).toBeVisible()
  })
})
