import { randomUUID } from 'node:crypto'
import { pictureOf, serviceStorage } from './media-files.ts'
import type { ServerProcess } from './server-process.ts'
import { expect, type Page } from './site.ts'

export const own = (name: string) => `${randomUUID().slice(0, 8)} ${name}`
export const imageUrl = (page: Page) => page.getByLabel('Image URL')
export const alert = (page: Page) => page.getByRole('alertdialog')
export const picker = (page: Page, title = 'Choose a picture') => page.getByRole('dialog', { name: title })

export const storedPictures = async (site: ServerProcess, search: string) => {
  const { data } = await serviceStorage(site).from('images').list('resource-images', { search })
  return data?.map(({ name }) => name) ?? []
}

export const addPicture = async (site: ServerProcess, name: string) => {
  const { buffer } = pictureOf(name)
  const path = `resource-images/${name}`
  await serviceStorage(site).from('images').upload(path, buffer, { contentType: 'image/png' })
  return `/storage/v1/object/public/images/${encodeURI(path)}`
}

export const openForm = async (page: Page, category = 'reading') => {
  await page.goto(`/resources/new?category=${category}`)
  await expect(imageUrl(page)).toBeVisible()
}
