import { articleText } from './article/text.ts'

const wordsPerMinute = 200
const step = 30

/**
 * Estimated reading time of an HTML text in seconds (specification, section 5): 200 words a minute, rounded
 * to a multiple of 30 seconds, at least 30, and 0 when there is nothing to read. A dash alone is no word.
 */
export const readingTime = (html: string) => {
  const words = articleText(html)
    .split(' ')
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length
  if (words === 0) return 0
  return Math.max(step, Math.round(((words / wordsPerMinute) * 60) / step) * step)
}
