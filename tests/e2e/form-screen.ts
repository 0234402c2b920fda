import { expect, type Page } from '#tests/support/site.ts'

/** The admin form as a person finds it. */
export const formScreen = (page: Page) => ({
  category: page.getByLabel('Category'),
  title: page.getByLabel('Title', { exact: true }),
  description: page.getByLabel('Description', { exact: true }),
  imageUrl: page.getByLabel('Image URL'),
  audioUrl: page.getByLabel('Audio URL'),
  grade: page.getByLabel('Grade'),
  duration: page.getByLabel('Duration in seconds'),
  link: page.getByLabel('Link', { exact: true }),
  date: page.getByLabel('Date', { exact: true }),
  articleFile: page.getByLabel(/Upload HTML or Word file|Replace with another file/),
  add: page.getByRole('button', { name: 'Add resource' }),
  save: page.getByRole('button', { name: 'Save changes' }),
  preview: page.frameLocator('iframe[title^="Preview"]'),
  draftOffer: page.getByRole('region', { name: /^(Unfinished drafts|Unsaved changes)$/ }),
  dialog: page.getByRole('alertdialog'),
})

/** Types a title, and waits until this browser has kept it: then it survives whatever happens to the page. */
export async function typeAndKeep(page: Page, title: string): Promise<void> {
  await formScreen(page).title.fill(title)
  await expect(page.getByText('Kept as a draft in this browser.')).toBeVisible()
  await page.waitForFunction(async (typed) => {
    const request = indexedDB.open('walking-together-drafts')
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
    const rows = database.transaction('drafts').objectStore('drafts').getAll()
    await new Promise((done) => {
      rows.onsuccess = done
    })
    database.close()
    return JSON.stringify(rows.result).includes(typed)
  }, title)
}

/** Saved: back in the listing, with the word that it is. */
export async function expectSaved(page: Page, title: string): Promise<void> {
  await expect(page).toHaveURL('/resources')
  await expect(page.getByRole('status').filter({ hasText: `“${title}” is saved.` })).toBeVisible()
}

/** An article as Word exports it: its own styles, its own quotes, in Windows-1252. */
export const wordExport = Buffer.from(
  `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word">
<head><meta http-equiv=Content-Type content="text/html; charset=windows-1252">
<meta name=ProgId content=Word.Document><meta name=Generator content="Microsoft Word 15">
<style>p.MsoNormal {margin:0} p.MsoTitle {font-size:28pt}</style></head>
<body lang=EN-US><div class=WordSection1>
<p class=MsoTitle>When sleep won\x92t come</p>
<p class=MsoNormal>Quiet evenings for tired teens.</p>
<p class=MsoNormal>She said \x93I can\x92t switch off\x94 \x96 and she meant it.</p>
<p class=MsoNormal>${'Night after night it helps to put the phone to bed first. '.repeat(30)}</p>
</div></body></html>`,
  'latin1',
)

/** A recording of silence that every browser can measure: WAV, 8,000 samples a second. */
export function silence(seconds: number): Buffer {
  const rate = 8000
  const samples = Buffer.alloc(seconds * rate, 128)
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + samples.length, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20) // PCM
  header.writeUInt16LE(1, 22) // one channel
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate, 28) // bytes a second
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34) // bits a sample
  header.write('data', 36)
  header.writeUInt32LE(samples.length, 40)
  return Buffer.concat([header, samples])
}

/** A draft among those that the form offers. */
export const draft = (page: Page, title: string) =>
  page.getByRole('listitem').filter({ hasText: `“${title}”` })

/** Goes on with a draft on a fresh page of the same browser. */
export async function continueOn(page: Page, title: string): Promise<void> {
  await page.goto('/resources/new')
  await draft(page, title).getByRole('button', { name: 'Continue' }).click()
}
