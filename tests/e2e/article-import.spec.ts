import { docx, paragraph, picture } from '#tests/support/docx.ts'
import { fileOf } from '#tests/support/media-files.ts'
import { png } from '#tests/support/samples.ts'
import { expect, type Page, test } from '#tests/support/site.ts'
import { formScreen, wordExport } from './form-screen.ts'

const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

const upload = (page: Page, file: ReturnType<typeof fileOf>) =>
  page.locator('input[type=file][accept*=".docx"]').setInputFiles(file)

test.beforeEach(async ({ page, signInAs }) => {
  await signInAs('admin')
  await page.goto('/resources/new')
})

test('a .docx document fills the form, and says what did not come through', async ({ page }) => {
  const body =
    paragraph('Phones “at home”', 'Title') +
    paragraph('How to agree.') +
    picture('a.png', 'A phone') +
    paragraph('x', 'Fancy')
  await upload(page, fileOf('Phones.docx', wordType, Buffer.from(docx(body, { 'a.png': png }))))
  await expect(page.getByLabel('Title')).toHaveValue('Phones "at home"')
  await expect(page.getByLabel('Description')).toHaveValue('How to agree.')
  await expect(page.getByLabel('Link')).toHaveValue('word/Phones.docx')
  await expect(page.getByText('The style “Fancy Box” has no counterpart here')).toBeVisible()
})

test('a Word export in Windows-1252 comes out right', async ({ page }) => {
  const html =
    '<html><head><meta http-equiv=Content-Type content="text/html; charset=windows-1252"><meta name=Generator ' +
    'content="Microsoft Word 15"></head><body><p class=MsoTitle>Caf\xe9 \x93talk\x94</p><p>Don\x92t \x96 wait\x85</p>'
  await upload(page, fileOf('Cafe talk.htm', 'text/html', Buffer.from(html, 'latin1')))
  await expect(page.getByLabel('Title')).toHaveValue('Café "talk"')
  await expect(page.getByLabel('Description')).toHaveValue("Don't - wait...")
  await expect(page.getByLabel('Link')).toHaveValue('word/Cafe talk.htm')
})

const refused = [
  ['a text', 'a.html', 'only words', 'The uploaded file does not appear to contain HTML content'],
  [
    'a binary file',
    'a.html',
    '\x7fELF<\0\0',
    'Could not process this file. It may contain characters that cannot be encoded.',
  ],
  ['half a document', 'a.docx', 'PK\x03\x04 <', 'Error reading file'],
  ['a document in the old format', 'a.doc', '\xd0\xcf\x11\xe0', 'This is a Word document in the old format.'],
] as const

test('what cannot be imported gets its message, and the form keeps what was typed', async ({ page }) => {
  await page.getByLabel('Title').fill('Kept')
  for (const [what, name, content, message] of refused) {
    await test.step(what, async () => {
      await upload(page, fileOf(name, 'text/html', Buffer.from(content, 'latin1')))
      await expect(page.getByRole('alertdialog')).toContainText(message)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('alertdialog')).toBeHidden()
    })
  }
  await expect(page.getByLabel('Title')).toHaveValue('Kept')
})

test('another file replaces only what is chosen, and Undo brings the rest back', async ({
  page,
  axeFindings,
}) => {
  test.setTimeout(90_000)
  const form = formScreen(page)
  await form.articleFile.setInputFiles({ name: 'sleep.htm', mimeType: 'text/html', buffer: wordExport })
  await expect(form.title).toHaveValue("When sleep won't come")
  await form.title.fill('My own title')
  await page.getByText(/^Article text \(/).click()
  const body = page.getByLabel('Article HTML')
  const buffer = Buffer.from(docx(paragraph('Another title', 'Title') + paragraph('Another text.'), {}))
  await form.articleFile.setInputFiles({ name: 'other.docx', mimeType: wordType, buffer })
  await expect(form.dialog).toHaveAccessibleName('What to take from “other.docx”?')
  const option = (name: string) => form.dialog.getByRole('checkbox', { name })
  await expect(option('Replace the article')).toBeChecked()
  await expect(option('Replace the title')).not.toBeChecked()
  await expect(form.dialog).toContainText('My own title')
  await expect(form.dialog).toContainText('Another title')
  expect(await axeFindings(page, 'light')).toEqual([])
  expect(await axeFindings(page, 'dark')).toEqual([])
  await page.keyboard.press('Escape')
  await expect(form.dialog).toBeHidden()
  await expect(body).toHaveValue(/put the phone to bed/)

  await form.articleFile.setInputFiles({ name: 'other.docx', mimeType: wordType, buffer })
  await option('Replace the description').check()
  await form.dialog.getByRole('button', { name: 'Use the file' }).click()
  await expect(form.title).toHaveValue('My own title')
  await expect(form.description).toHaveValue('Another text.')
  await expect(body).toHaveValue(/Another text/)
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(body).toHaveValue(/put the phone to bed/)
  await expect(form.description).toHaveValue('Quiet evenings for tired teens.')
})
