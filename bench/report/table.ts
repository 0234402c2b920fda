import { type Figure, isMet, shown, shownBudget } from './figure.ts'

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
