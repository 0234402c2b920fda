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

/** How thorough a run is. */
interface Effort {
  quick: boolean
  /** Rounds of measurements that are compared pair by pair. */
  rounds: number
}

/** Measures one or more lines of the table. */
export type Measure = (effort: Effort) => Promise<Figure[]>

/** One line of a panel: a value for each size of the library, in milliseconds. */
interface Series {
  name: string
  points: ReadonlyArray<readonly [size: number, milliseconds: number]>
}

export interface Panel {
  title: string
  series: readonly Series[]
}

const WIDTH = 460
const HEIGHT = 400
const PLOT = { left: 52, top: 44, width: 270, height: 300 }
const SIZES = [1_000, 10_000, 100_000, 1_000_000]
const TIMES = [0.1, 1, 10, 100, 1000, 10_000]
/** Okabe and Ito's colours, which everybody can tell apart, and some more that show on light and dark ground. */
const COLOURS = [
  ...['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9'],
  ...['#7f7f7f', '#e4003a', '#b58900', '#8a63d2', '#3b7d23', '#a0522d'],
]
const LABEL_GAP = 14

const share = (value: number, [first, last]: readonly [number, number]) =>
  Math.log(value / first) / Math.log(last / first)
const x = (size: number) => PLOT.left + share(size, [1_000, 1_000_000]) * PLOT.width
const y = (time: number) => PLOT.top + PLOT.height * (1 - share(Math.max(time, 0.1), [0.1, 10_000]))

/** Panels side by side, both axes in powers of ten: a level line costs the same in every library. */
export function plot(panels: readonly Panel[]): string {
  const width = WIDTH * panels.length
  const drawn = panels.map((panel, n) => `<g transform="translate(${n * WIDTH} 0)">${drawPanel(panel)}</g>`)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="11">
<title>Time of what the site asks, by the size of the library</title>
<style>text{fill:#222}.grid{stroke:#8884}@media(prefers-color-scheme:dark){text{fill:#ddd}}</style>
${drawn.join('\n')}
</svg>
`
}

function drawPanel({ title, series }: Panel): string {
  const labels = spread(series.map(({ points }) => y(points.at(-1)?.[1] ?? 1)))
  return [
    `<text x="${PLOT.left}" y="24" font-size="14" font-weight="600">${title}</text>`,
    ...TIMES.map((time) => gridLine(time)),
    ...SIZES.map(
      (size) =>
        `<text x="${x(size)}" y="${PLOT.top + PLOT.height + 18}" text-anchor="middle">${size.toLocaleString('en')}</text>`,
    ),
    ...series.map((line, n) => drawSeries(line, COLOURS[n % COLOURS.length] ?? '#000', labels[n] ?? 0)),
  ].join('\n')
}

const gridLine = (time: number): string => {
  const label = time < 1000 ? `${time} ms` : `${time / 1000} s`
  return `<line class="grid" x1="${PLOT.left}" x2="${PLOT.left + PLOT.width}" y1="${y(time)}" y2="${y(time)}"/>
<text x="${PLOT.left - 6}" y="${y(time) + 4}" text-anchor="end">${label}</text>`
}

function drawSeries({ name, points }: Series, colour: string, labelY: number): string {
  const last = points.at(-1)?.[0] ?? 1_000
  const path = points.map(([size, time]) => `${x(size).toFixed(1)},${y(time).toFixed(1)}`).join(' ')
  const dots = points.map(
    ([size, time]) =>
      `<circle cx="${x(size).toFixed(1)}" cy="${y(time).toFixed(1)}" r="2.5" fill="${colour}"/>`,
  )
  return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="1.6"/>${dots.join('')}
<text x="${x(last) + 8}" y="${labelY + 4}" style="fill:${colour}">${name}</text>`
}

/** Moves labels apart that would lie on each other, down and then up from the edge of the plot; their order stays. */
function spread(heights: readonly number[]): number[] {
  const placed = [...heights]
  const downwards = heights.map((_, index) => index).sort((a, b) => (heights[a] ?? 0) - (heights[b] ?? 0))
  let above = Number.NEGATIVE_INFINITY
  for (const n of downwards) above = placed[n] = Math.max(placed[n] ?? 0, above + LABEL_GAP)
  let below = PLOT.top + PLOT.height + LABEL_GAP
  for (const n of downwards.toReversed()) below = placed[n] = Math.min(placed[n] ?? 0, below - LABEL_GAP)
  return placed
}
