const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

// The text is taken apart by hand: a Date would be moved to the reader's time zone, and show the day before.
const readDate = (date: string) => {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date) ?? []
  const daysInMonth = new Date(Date.UTC(2000 + (Number(year) % 400), Number(month), 0)).getUTCDate()
  const name = months[Number(month) - 1]
  if (name === undefined || Number(day) < 1 || Number(day) > daysInMonth) return null
  return { year: Number(year), month: name, day: Number(day) }
}

/** "Nov 4, 2026" for 2026-11-04; empty when the text is no date. */
export const shortDate = (date: string) => {
  const read = readDate(date)
  return read ? `${read.month.slice(0, 3)} ${read.day}, ${read.year}` : ''
}

/** "November 4, 2026" for 2026-11-04; empty when the text is no date. */
export const longDate = (date: string) => {
  const read = readDate(date)
  return read ? `${read.month} ${read.day}, ${read.year}` : ''
}

/** The day it is where the clock stands, yyyy-mm-dd: an admin's own today, which may not be London's. */
export const localDate = (now: Date) =>
  [now.getFullYear(), now.getMonth() + 1, now.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
