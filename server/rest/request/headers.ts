import type { Acceptable, Media, PlanOption, Preferences, RowMedia } from './types.ts'

interface MediaRange {
  type: string
  parameters: Map<string, string>
  quality: number
}

/** The Accept header, best first. Types that nobody here knows stay in the list, to be named in the refusal. */
export function parseAccept(header = '*/*'): Acceptable[] {
  const ranges = header.match(/(?:[^,"]|"[^"]*")+/g) ?? []
  return ranges
    .map(readMediaRange)
    .filter((range) => range.quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map((range) => {
      const media = mediaOf(range)
      return { type: spell(range), ...(media && { media }) }
    })
}

function readMediaRange(text: string): MediaRange {
  const [type = '', ...rest] = (text.match(/(?:[^;"]|"[^"]*")+/g) ?? []).map((part) => part.trim())
  const parameters = new Map<string, string>()
  for (const part of rest.filter(Boolean)) {
    const [name = '', value = ''] = part.split(/=(.*)/s)
    parameters.set(name.trim().toLowerCase(), value.trim().replace(/^"(.*)"$/s, '$1'))
  }
  const quality = Number(parameters.get('q') ?? 1)
  parameters.delete('q')
  return { type: type.toLowerCase(), parameters, quality: Number.isNaN(quality) ? 1 : quality }
}

const spell = ({ type, parameters }: MediaRange): string =>
  [type, ...parameters.entries().map(([name, value]) => `${name}=${value}`)].join(';')

const PLAN = /^application\/vnd\.pgrst\.plan(?:\+(json|text))?$/
const PLAN_OPTIONS: ReadonlySet<string> = new Set<PlanOption>([
  'analyze',
  'verbose',
  'settings',
  'buffers',
  'wal',
])

function mediaOf(range: MediaRange): Media | undefined {
  const plan = PLAN.exec(range.type)
  if (!plan) return rowMediaOf(range)
  const asked = range.parameters.get('options')?.split('|') ?? []
  return {
    kind: 'plan',
    format: plan[1] === 'json' ? 'json' : 'text',
    options: asked.filter((option): option is PlanOption => PLAN_OPTIONS.has(option)),
    of: rowMediaOf(readMediaRange(range.parameters.get('for') ?? '*/*')) ?? {
      kind: 'array',
      stripped: false,
    },
  }
}

function rowMediaOf({ type, parameters }: MediaRange): RowMedia | undefined {
  const stripped = parameters.get('nulls') === 'stripped'
  switch (type) {
    case '*/*':
    case 'application/*':
    case 'application/json':
      return { kind: 'array', stripped: false }
    case 'application/vnd.pgrst.array':
    case 'application/vnd.pgrst.array+json':
      return { kind: 'array', stripped }
    case 'application/vnd.pgrst.object':
    case 'application/vnd.pgrst.object+json':
      return { kind: 'object', stripped }
    case 'text/csv':
      return { kind: 'csv' }
    case 'text/plain':
      return { kind: 'text' }
    case 'application/octet-stream':
      return { kind: 'binary' }
    default:
      return undefined
  }
}

type Choice = 'resolution' | 'return' | 'count' | 'missing' | 'handling'

const choices: Readonly<Record<Choice, readonly string[]>> = {
  resolution: ['merge-duplicates', 'ignore-duplicates'],
  return: ['representation', 'minimal', 'headers-only'],
  count: ['exact', 'planned', 'estimated'],
  missing: ['default', 'null'],
  handling: ['strict', 'lenient'],
}
// How a transaction ends is the server's business here, so that the preference is understood but never granted.
const UNDERSTOOD: ReadonlySet<string> = new Set(['tx=commit', 'tx=rollback'])

/** The Prefer header: several preferences, joined by commas; of two for one thing the first counts. Never fails. */
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
