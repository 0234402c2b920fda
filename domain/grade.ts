/** School grades from start to end; kindergarten (K) is 0. */
export interface GradeRange {
  low: number
  high: number
}

/** What an empty grade field becomes (specification, section 5). */
const defaultGrade = 'K-12'

/** The messages of the resource form (section 5). */
const gradeMessages = {
  format: "Grade must be in range format (e.g., K-12, 6-8, 1-3). Use 'K' for Kindergarten or numbers 1-12.",
  start: 'Starting grade must be K or a number from 1 to 12.',
  end: 'Ending grade must be K or a number from 1 to 12.',
  order: 'Starting grade must be less than or equal to ending grade (K comes before all numbers).',
} as const

export type ParsedGrade = { range: GradeRange; text: string } | { error: string }

const gradeNumber = (edge: string) => (edge === 'K' ? 0 : Number(edge))
const gradeName = (grade: number) => (grade === 0 ? 'K' : String(grade))
const isEdge = (edge: string) => edge === 'K' || (Number(edge) >= 1 && Number(edge) <= 12)

/**
 * Reads what an admin typed into the grade field. Empty becomes K-12; small k and spaces around are
 * forgiven. Returns the range and its canonical text, or the message to show.
 */
export const parseGrade = (input: string): ParsedGrade => {
  const typed = input.trim().toUpperCase() || defaultGrade
  const [, start, end] = /^(K|\d{1,2})-(K|\d{1,2})$/.exec(typed) ?? []
  if (start === undefined || end === undefined) return { error: gradeMessages.format }
  if (!isEdge(start)) return { error: gradeMessages.start }
  if (!isEdge(end)) return { error: gradeMessages.end }
  const range = { low: gradeNumber(start), high: gradeNumber(end) }
  if (range.low > range.high) return { error: gradeMessages.order }
  return { range, text: `${gradeName(range.low)}-${gradeName(range.high)}` }
}

/**
 * The ends of a stored grade, which may be older than the form's rules: "6-8" or a single "7". Null when it
 * is no grade. The same reading as `public.grade_end` in the database.
 */
export const gradeRange = (stored: string | null): GradeRange | null => {
  const [first = '', last = first] = (stored ?? '').toUpperCase().split('-')
  if (![first, last].every((edge) => /^(K|\d{1,2})$/.test(edge))) return null
  return { low: gradeNumber(first), high: gradeNumber(last) }
}

/** Whether a stored grade is, or contains, the chosen one; a resource without a grade never does. */
export const containsGrade = (stored: string | null, chosen: number) => {
  const range = gradeRange(stored)
  return range !== null && range.low <= chosen && chosen <= range.high
}
