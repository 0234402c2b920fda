import { arch, cpus, platform, release, totalmem } from 'node:os'
import { type Figure, shown } from './figure.ts'
import { aligned } from './table.ts'

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
