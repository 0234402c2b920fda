const lengths = {
  year: 31_536_000,
  month: 2_592_000,
  week: 604_800,
  day: 86_400,
  hour: 3600,
  minute: 60,
} as const

type Unit = keyof typeof lengths

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/**
 * "2 hours ago" for a moment in ISO 8601; "just now" within a minute. Clocks differ, so the future counts as now.
 * @param now milliseconds, for tests
 */
export const timeAgo = (moment: string, now = Date.now()): string =>
  inUnits(['month', 'day', 'hour', 'minute'], moment, now)

/** The same, which counts in weeks and years too. */
export const timeAgoWithWeeks = (moment: string, now = Date.now()): string =>
  inUnits(['year', 'month', 'week', 'day', 'hour', 'minute'], moment, now)

/** In the first unit that has passed. */
function inUnits(units: readonly Unit[], moment: string, now: number): string {
  const seconds = (now - Date.parse(moment)) / 1000
  const unit = units.find((one) => seconds >= lengths[one])
  return unit ? words.format(-Math.floor(seconds / lengths[unit]), unit) : 'just now'
}
