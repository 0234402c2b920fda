const units: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]
const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/**
 * How long ago something was: "3 hours ago", "yesterday". Clocks differ, so the future counts as now.
 * @param time ISO 8601
 * @param now milliseconds since 1970
 */
export function ago(time: string, now: number): string {
  const seconds = (now - Date.parse(time)) / 1000
  const unit = units.find(([, length]) => seconds >= length)
  return unit ? words.format(-Math.floor(seconds / unit[1]), unit[0]) : 'just now'
}
