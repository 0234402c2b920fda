import { longDate } from '#domain/dates.ts'
import { parseGrade } from '#domain/grade.ts'
import type { FieldName, ResourceFields } from './fields.ts'

export type Problems = Partial<Record<FieldName, string>>

const limits = { title: 300, description: 2000, image_alt: 500, location: 200, link: 2000 } as const
const addressLimit = 2000
/** The column is a 32-bit integer. */
const maxSeconds = 2_147_483_647

const names: Readonly<Record<keyof typeof limits, string>> = {
  title: 'A title',
  description: 'A description',
  image_alt: 'An alt text',
  location: 'A location',
  link: 'A link',
}

const isBlank = (text: string) => text.trim() === ''

/** The message under the grade field (specification, section 5); undefined when the grade is right. */
export function gradeProblem(grade: string): string | undefined {
  const parsed = parseGrade(grade)
  return 'error' in parsed ? parsed.error : undefined
}

/**
 * What is wrong with each field, in the order of the form; no entry for a field that is right. The words for grades are
 * the specification's (section 5), which leaves the others to us.
 */
export function findProblems(fields: ResourceFields): Problems {
  const found: Problems = {
    title: isBlank(fields.title) ? 'Please enter a title.' : tooLong(fields, 'title'),
    description: isBlank(fields.description) ? 'Please enter a description.' : tooLong(fields, 'description'),
    image_url: addressProblem(fields.image_url, fields.category === 'reading' && 'Please choose a picture.'),
    image_alt: tooLong(fields, 'image_alt'),
    audioUrl: addressProblem(fields.audioUrl, fields.category === 'podcast' && 'Please choose a recording.'),
    grade: gradeProblem(fields.grade),
    location: tooLong(fields, 'location'),
    link: tooLong(fields, 'link'),
    date: longDate(fields.date) ? undefined : 'Please enter a date.',
    duration: isDuration(fields.duration) ? undefined : 'Please enter a whole number of seconds, 0 or more.',
  }
  return Object.fromEntries(Object.entries(found).filter(([, message]) => message))
}

function tooLong(fields: ResourceFields, name: keyof typeof limits): string | undefined {
  // The database counts characters, not halves of them.
  const length = [...fields[name].trim()].length
  const limit = limits[name]
  return length > limit
    ? `${names[name]} may have ${limit} characters at most; this has ${length}.`
    : undefined
}

/** @param missing what to say where the field must be filled */
function addressProblem(address: string, missing: string | false): string | undefined {
  if (isBlank(address)) return missing || undefined
  return isAddress(address.trim()) ? undefined : 'Please enter an address that begins with https://'
}

/** Whether a page can load it. Pages load what is on the web over https only; what is the site's own has no origin (design, section 6). */
export function isAddress(address: string): boolean {
  if (address.length > addressLimit || /\s/.test(address)) return false
  if (/^\/[^/\\]/.test(address)) return true
  return /^https?:\/\/[^/]/i.test(address) && URL.canParse(address)
}

const isDuration = (text: string) =>
  isBlank(text) || (/^\d{1,10}$/.test(text.trim()) && Number(text) <= maxSeconds)

/** What stands between the form and its submit button (section 5), as the form calls it. */
export function missingParts(fields: ResourceFields): string[] {
  return [
    isBlank(fields.title) && 'a title',
    isBlank(fields.description) && 'a description',
    gradeProblem(fields.grade) !== undefined && 'a grade that can be read',
    fields.category === 'reading' && isBlank(fields.image_url) && 'a picture',
    fields.category === 'podcast' && isBlank(fields.audioUrl) && 'a recording',
  ].filter((part): part is string => Boolean(part))
}
