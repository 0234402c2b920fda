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

export type Unit = 'KB' | 'MB' | 's' | '×' | '%' | 'points'

export const isMet = ({ value, budget, wanted }: Figure): boolean =>
  wanted === 'at most' ? value <= budget : value >= budget

const DIGITS: Record<Unit, number> = { KB: 1, MB: 0, s: 1, '×': 2, '%': 0, points: 0 }

/** A number as the table shows it, e.g. "1.36 ×". */
export const shown = (value: number, unit: Unit): string =>
  unit === 'points' ? value.toFixed(0) : `${value.toFixed(DIGITS[unit])} ${unit}`

export const shownBudget = ({ budget, unit, wanted }: Figure): string =>
  `${wanted === 'at most' ? '≤' : '≥'} ${unit === 'points' ? budget : `${budget} ${unit}`}`
