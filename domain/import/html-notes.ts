import type { Element, Root } from 'hast'
import { safeImage } from '../article/links.ts'
import { elementsOf } from './walk.ts'

const active = new Set(['script', 'form', 'input', 'button', 'select', 'textarea'])
const embedded = new Set(['iframe', 'frame', 'object', 'embed', 'video', 'audio', 'svg', 'canvas', 'portal'])

const hasHandler = ({ properties }: Element) => Object.keys(properties).some((name) => /^on[a-z]/i.test(name))

const isLost = ({ tagName, properties }: Element) =>
  tagName === 'img' && safeImage(String(properties.src ?? '')) === undefined

const lostPictures = (count: number) =>
  `${count === 1 ? 'A picture' : `${count} pictures`} will not be shown: the file only says where ` +
  `${count === 1 ? 'it is' : 'they are'} on a computer. Save the document as .docx and upload that to take pictures along.`

/** What of an HTML file readers will not see, in plain words; nothing when all of it comes through. */
export const htmlNotes = (tree: Root): string[] => {
  const elements = [...elementsOf(tree)]
  const pictures = elements.filter(isLost).length
  const isActive = elements.some((element) => active.has(element.tagName) || hasHandler(element))
  const isEmbedding = elements.some(({ tagName }) => embedded.has(tagName))
  return [
    ...(pictures > 0 ? [lostPictures(pictures)] : []),
    ...(isActive ? ['Scripts and forms are left out when the article is shown.'] : []),
    ...(isEmbedding ? ['Embedded pages, videos and drawings are left out when the article is shown.'] : []),
  ]
}
