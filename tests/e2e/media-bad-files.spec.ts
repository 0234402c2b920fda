import { truncateSync, writeFileSync } from 'node:fs'
import { fileOf, pictureOf, serviceStorage } from '#tests/support/media-files.ts'
import { mp4Of } from '#tests/support/mp4.ts'
import { mp3, pdf, png } from '#tests/support/samples.ts'
import { expect, test } from '#tests/support/site.ts'

const MEGABYTE = 1024 * 1024
const noImage = 'Please select an image file'
const noAudio = 'Please select an audio file (including .mp4 files with audio content)'

const bad = [
  ['a text file named .png', 'image', fileOf('words.png', 'image/png', Buffer.from('only words')), noImage],
  ['a text file', 'image', fileOf('words.txt', 'text/plain', Buffer.from('only words')), noImage],
  ['a PDF named .jpg', 'image', fileOf('paper.jpg', 'image/jpeg', pdf), noImage],
  ['a file of zero bytes', 'image', fileOf('none.png', 'image/png', Buffer.alloc(0)), 'This file is empty.'],
  [
    'a picture of 5 MB and a byte',
    'image',
    pictureOf('big.png', 5 * MEGABYTE + 1),
    'Image size must be less than 5MB',
  ],
  ['a picture where a recording belongs', 'audio', pictureOf('a.png'), noAudio],
  ['a picture named .mp3', 'audio', fileOf('a.mp3', 'audio/mpeg', png), noAudio],
  [
    'an .mp4 without sound',
    'audio',
    fileOf('film.mp4', 'video/mp4', mp4Of('vide')),
    'This .mp4 file has no sound.',
  ],
] as const

test('what is no picture or recording gets its message, and the form keeps what was typed', async ({
  page,
  signInAs,
}) => {
  test.slow()
  await signInAs('admin')
  await page.goto('/resources/new?category=podcast')
  await page.getByLabel('Title').fill('Kept')
  for (const [what, kind, file, message] of bad) {
    await test.step(what, async () => {
      await page.locator(`input[type=file][aria-label="Upload ${kind}"]`).setInputFiles(file)
      await expect(page.getByRole('alertdialog')).toContainText(message)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('alertdialog')).toBeHidden()
    })
  }
  await expect(page.getByLabel('Title')).toHaveValue('Kept')
})

test('a recording of 50 MB and a byte is refused', async ({ page, signInAs }, info) => {
  const path = info.outputPath('long.mp3')
  writeFileSync(path, mp3)
  truncateSync(path, 50 * MEGABYTE + 1)
  await signInAs('admin')
  await page.goto('/resources/new?category=podcast')
  await page.locator('input[type=file][aria-label="Upload audio"]').setInputFiles(path)
  await expect(page.getByRole('alertdialog')).toContainText('Audio size must be less than 50MB')
})

test('a picture of exactly 5 MB is taken, by the form and by the server', async ({ page, signInAs }) => {
  await signInAs('admin')
  await page.goto('/resources/new')
  await page
    .locator('input[type=file][aria-label="Upload image"]')
    .setInputFiles(pictureOf('full.png', 5 * MEGABYTE))
  await expect(page.getByLabel('Image URL')).toHaveValue(/\/resource-images\/full\.png$/)
})

test('dangerous and endless names become names that can be stored', async ({ page, site, signInAs }) => {
  await signInAs('admin')
  await page.goto('/resources/new')
  for (const [name, stored] of [
    [`${'long '.repeat(60)}name.png`, `${'long '.repeat(31)}l.png`],
    ['..\\..\\climbs.png', 'climbs.png'],
    ['bell\u0007 and #hash?.png', 'bell and -hash-.png'],
  ] as const) {
    await page.locator('input[type=file][aria-label="Upload image"]').setInputFiles(pictureOf(name))
    await expect(page.getByLabel('Image URL')).toHaveValue(new RegExp(`${encodeURIComponent(stored)}$`))
    const { data } = await serviceStorage(site).from('images').exists(`resource-images/${stored}`)
    expect(data).toBe(true)
  }
})

test('an .mp4 with sound is taken', async ({ page, signInAs }) => {
  await signInAs('admin')
  await page.goto('/resources/new?category=podcast')
  const file = fileOf('sound.mp4', 'video/mp4', mp4Of('vide', 'soun'))
  await page.locator('input[type=file][aria-label="Upload audio"]').setInputFiles(file)
  await expect(page.getByLabel('Audio URL')).toHaveValue(/\/resource-audio\/sound\.mp4$/)
})
