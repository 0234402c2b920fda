import type { Preferences } from './types.ts'

type Choice = 'resolution' | 'return' | 'count' | 'missing' | 'handling'

const choices: Readonly<Record<Choice, readonly string[]>> = {
  resolution: ['merge-duplicates', 'ignore-duplicates'],
  return: ['representation', 'minimal', 'headers-only'],
  count: ['exact', 'planned', 'estimated'],
  missing: ['default', 'null'],
  handling: ['strict', 'lenient'],
}
// How a transaction ends is the server's business here, so that the wish is understood but never granted.
const UNDERSTOOD: ReadonlySet<string> = new Set(['tx=commit', 'tx=rollback'])

/** The Prefer header: several wishes, joined by commas; of two for one thing the first counts. Never fails. */
export function parsePrefer(header = ''): Preferences {
  const preferences: Preferences = { invalid: [] }
  const words = header.split(',').map((word) => word.trim())
  for (const word of words.filter(Boolean)) {
    if (!understand(preferences, word) && !UNDERSTOOD.has(word)) preferences.invalid.push(word)
  }
  return preferences
}

function understand(preferences: Preferences, word: string): boolean {
  const [name = '', value = ''] = word.split(/=(.*)/s)
  if (name === 'timezone') {
    if (!isTimezone(value)) return false
    preferences.timezone ??= value
    return true
  }
  if (name === 'max-affected') {
    if (/^\d{1,15}$/.test(value)) preferences.maxAffected ??= Number(value)
    return true
  }
  if (!Object.hasOwn(choices, name) || !choices[name as Choice].includes(value)) return false
  Object.assign(preferences, { [name]: preferences[name as Choice] ?? value })
  return true
}

/** PostgreSQL reads offsets like +02:00 the other way round, so only names will do. */
function isTimezone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}
