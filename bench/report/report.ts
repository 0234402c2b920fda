import { arch, cpus, platform, release, totalmem } from 'node:os'

/** One run, as it is kept in a file. */
export interface Report {
  measuredAt: string
  machine: Machine
  figures: Figure[]
}

interface Machine {
  processor: string
  cores: number
  memoryGB: number
  system: string
  node: string
}

export const describeMachine = (): Machine => ({
  processor: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryGB: Math.round(totalmem() / 2 ** 30),
  system: `${platform()} ${release()} ${arch()}`,
  node: process.version,
})

/** Two runs side by side; what only one of them measured is left blank in the other. */
export function compare(before: Report, after: Report): string {
  const names = new Set([...before.figures, ...after.figures].map(({ name }) => name))
  const rows = [...names].map((name) => {
    const [a, b] = [before, after].map(({ figures }) => figures.find((figure) => figure.name === name))
    const change = a && b && a.value > 0 ? `${(100 * (b.value / a.value - 1)).toFixed(0)} %` : ''
    return [name, a ? shown(a.value, a.unit) : '', b ? shown(b.value, b.unit) : '', change]
  })
  const same = JSON.stringify(before.machine) === JSON.stringify(after.machine)
  const warning = same ? '' : '\n\nThe machines differ: only ratios and bytes can be compared.'
  return aligned([['What', before.measuredAt, after.measuredAt, 'Change'], ...rows]) + warning
}

/** One line of the table: what was measured, and what it may be. */
export interface Figure {
  name: string
  value: number
  unit: Unit
  budget: number
  /** Most figures must not be above their budget; speeds and scores not below. */
  wanted: 'at most' | 'at least'
  /** What lies behind a ratio, e.g. "0.44 ms against 0.33 ms". */
  detail?: string
}

type Unit = 'KB' | 'MB' | 's' | '×' | '%' | 'points'

export const isMet = ({ value, budget, wanted }: Figure): boolean =>
  wanted === 'at most' ? value <= budget : value >= budget

const DIGITS: Record<Unit, number> = { KB: 1, MB: 0, s: 1, '×': 2, '%': 0, points: 0 }

/** A number as the table shows it, e.g. "1.36 ×". */
export const shown = (value: number, unit: Unit): string =>
  unit === 'points' ? value.toFixed(0) : `${value.toFixed(DIGITS[unit])} ${unit}`

const shownBudget = ({ budget, unit, wanted }: Figure): string =>
  `${wanted === 'at most' ? '≤' : '≥'} ${unit === 'points' ? budget : `${budget} ${unit}`}`

const HEAD = ['What', 'Figure', 'Budget', 'Verdict', 'Detail'] as const

const cells = (figure: Figure): string[] => [
  figure.name,
  shown(figure.value, figure.unit),
  shownBudget(figure),
  isMet(figure) ? 'met' : 'MISSED',
  figure.detail ?? '',
]

/** The table for a terminal, columns aligned. */
export const textTable = (figures: readonly Figure[]): string => aligned([[...HEAD], ...figures.map(cells)])

/** The same for a Markdown page, without the details. */
export const markdownTable = (figures: readonly Figure[]): string => {
  const row = (texts: readonly string[]) => `| ${texts.slice(0, 4).join(' | ')} |`
  return [row(HEAD), row(HEAD.map(() => '---')), ...figures.map((figure) => row(cells(figure)))].join('\n')
}

/** Rows of texts with their columns aligned. */
export function aligned(rows: ReadonlyArray<readonly string[]>): string {
  const widths = (rows[0] ?? []).map((_, n) => Math.max(...rows.map((row) => row[n]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((text, n) => text.padEnd(widths[n] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
