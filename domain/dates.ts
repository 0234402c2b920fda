/** Dates are days without a time zone: formatted in UTC, none is shown as the day before. */
const short = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
const long = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

/** "Nov 4, 2026" for 2026-11-04; empty when the text is no date. */
export const shortDate = (date: string) => format(short, date)

/** "November 4, 2026" for 2026-11-04; empty when the text is no date. */
export const longDate = (date: string) => format(long, date)

/** A Date takes the 31st of April for the 1st of May, and text with a time for a day: neither reads the same again. */
function format(words: Intl.DateTimeFormat, date: string): string {
  const day = new Date(`${date}T00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().slice(0, 10) === date ? words.format(day) : ''
}

/** The day it is where the clock stands, yyyy-mm-dd: an admin's own today, which may not be London's. */
export const localDate = (now: Date) =>
  [now.getFullYear(), now.getMonth() + 1, now.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
