import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import { picture, storePicture } from '#tests/support/media.ts'
import {
  addPicture,
  alert,
  imageUrl,
  openForm,
  own,
  picker,
  storedPictures,
} from '#tests/support/media-screen.ts'
import { serviceLibrary } from '#tests/support/members.ts'
import { expect, type Page, test } from '#tests/support/site.ts'

const cell = (page: Page, name: string) => picker(page).getByRole('listitem').filter({ hasText: name })

test.beforeEach(async ({ signInAs }) => {
  await signInAs('admin')
})

test('the picker shows the newest first, finds by name, and gives the focus back', async ({
  page,
  site,
  axeFindings,
}) => {
  const mark = randomUUID().slice(0, 8)
  const older = await addPicture(site, `older ${mark}.png`)
  await addPicture(site, `newer ${mark}.png`)
  await openForm(page)
  await page.getByRole('button', { name: 'Choose a picture…' }).click()
  await expect(picker(page).getByRole('searchbox')).toBeFocused()
  await expect(picker(page).getByRole('listitem').first()).toContainText(`newer ${mark}.png`)
  await picker(page).getByRole('searchbox').fill(`R ${mark}`)
  await expect(picker(page).getByRole('listitem')).toHaveCount(2)
  await expect(picker(page).getByRole('status')).toHaveText('2 pictures, newest first')
  expect(await axeFindings(page, 'light')).toEqual([])
  expect(await axeFindings(page, 'dark')).toEqual([])
  await picker(page).getByRole('searchbox').fill('nothing like it')
  await expect(picker(page).getByRole('status')).toHaveText('No picture has a name like that.')
  await picker(page).getByRole('searchbox').fill(`older ${mark}`)
  await picker(page)
    .getByRole('button', { name: `Use older ${mark}.png` })
    .click()
  await expect(imageUrl(page)).toHaveValue(site.url + older)
  await expect(page.getByRole('button', { name: 'Choose a picture…' })).toBeFocused()
})

test('a hundred are shown; the search finds the others', async ({ page, site }) => {
  const mark = randomUUID().slice(0, 8)
  await addPicture(site, `hidden ${mark}.png`)
  for (let batch = 0; batch < 10; batch++) {
    await Promise.all(
      Array.from({ length: 10 }, (_, each) => addPicture(site, `${mark} ${batch}-${each}.png`)),
    )
  }
  await openForm(page)
  await page.getByRole('button', { name: 'Choose a picture…' }).click()
  await expect(picker(page).getByRole('listitem')).toHaveCount(100)
  await expect(picker(page).getByRole('status')).toHaveText(
    'The newest 100 are shown. Search to find others.',
  )
  await picker(page).getByRole('searchbox').fill(`hidden ${mark}`)
  await expect(picker(page).getByRole('listitem')).toHaveCount(1)
})

test('a list that cannot be loaded says why', async ({ page, expectConsoleErrors }) => {
  expectConsoleErrors()
  await openForm(page)
  await page.route('**/storage/v1/object/list/images', (route) =>
    route.fulfill({ status: 503, json: { statusCode: '503', message: 'The service is busy.' } }),
  )
  await page.getByRole('button', { name: 'Choose a picture…' }).click()
  await expect(alert(page)).toContainText('Failed to load existing images: The service is busy.')
  await page.getByRole('button', { name: 'OK' }).click()
  await expect(picker(page).getByRole('status')).toContainText('The list could not be loaded.')
})

test('removing says where a picture is used, can be called off, and empties the field', async ({
  page,
  site,
  addResource,
}) => {
  const name = own('used.png')
  const image_url = await addPicture(site, name)
  const { id, title } = await addResource({ title: `Shows ${name}`, image_url })
  await openForm(page)
  await imageUrl(page).fill(site.url + image_url)
  await page.getByRole('button', { name: 'Choose a picture…' }).click()
  await cell(page, name).getByRole('button', { name: 'Remove' }).click()
  await expect(alert(page).getByRole('link', { name: title })).toHaveAttribute('href', `/resource/${id}`)
  await expect(alert(page).getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(alert(page)).toBeHidden()
  expect(await storedPictures(site, name)).toEqual([name])

  await cell(page, name).getByRole('button', { name: 'Remove' }).click()
  await alert(page).getByRole('button', { name: 'Remove' }).click()
  await expect(picker(page).getByRole('status')).toContainText(`${name} is removed.`)
  await expect(cell(page, name)).toHaveCount(0)
  expect(await storedPictures(site, name)).toEqual([])
  await picker(page).getByRole('button', { name: 'Close' }).click()
  await expect(imageUrl(page)).toHaveValue('')
})

test('a picture of something that was deleted is in use, and is there again when that is restored', async ({
  page,
  site,
  addResource,
}) => {
  const image_url = await storePicture(site, await picture(64, 36))
  const name = basename(image_url)
  const { id, title } = await addResource({ title: `Deleted with ${name}`, image_url })
  await serviceLibrary(site).from('resources').delete().eq('id', id)
  await openForm(page)
  await page.getByRole('button', { name: 'Choose a picture…' }).click()
  await cell(page, name).getByRole('button', { name: 'Remove' }).click()
  await expect(alert(page)).toContainText(`${title} (deleted, can be restored from your dashboard)`)
  await expect(alert(page).getByRole('link')).toHaveCount(0)
  await alert(page).getByRole('button', { name: 'Cancel' }).click()
  await page.goto('/admin')
  await page.getByRole('button', { name: `Restore ${title}` }).click()
  await expect(page.getByText(`“${title}” is back in the library.`)).toBeVisible()
  await page.goto(`/resource/${id}`)
  const shown = page.locator(`main img[src*="${name}"]`).first()
  await expect.poll(() => shown.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0)
})

test('where a picture is used may be unknown; a removal that fails says why', async ({
  page,
  site,
  expectConsoleErrors,
}) => {
  expectConsoleErrors()
  const name = own('stays.png')
  await addPicture(site, name)
  await openForm(page)
  await page.route('**/rest/v1/rpc/media_uses', (route) =>
    route.fulfill({ status: 404, json: { message: 'no' } }),
  )
  await page.route('**/storage/v1/object/images', (route) =>
    route.fulfill({ status: 403, json: { statusCode: '403', message: 'Not allowed' } }),
  )
  await page.getByRole('button', { name: 'Choose a picture…' }).click()
  await cell(page, name).getByRole('button', { name: 'Remove' }).click()
  await expect(alert(page)).toContainText('could not be found out')
  await alert(page).getByRole('button', { name: 'Remove' }).click()
  await expect(alert(page)).toContainText('Failed to delete image: Not allowed')
  await page.getByRole('button', { name: 'OK' }).click()
  await expect(cell(page, name)).toBeVisible()
})
