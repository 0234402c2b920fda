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
