const steps = [
  ['minute', 60],
  ['hour', 60],
  ['day', 24],
  ['month', 30],
] as const

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** "2 hours ago" for a moment in ISO 8601; "just now" within a minute. @param now milliseconds, for tests */
export function timeAgo(moment: string, now = Date.now()): string {
  let passed = Math.max(0, (now - Date.parse(moment)) / 1000)
  let said = 'just now'
  for (const [unit, size] of steps) {
    passed /= size
    if (!(passed >= 1)) return said
    said = words.format(-Math.floor(passed), unit)
  }
  return said
}
