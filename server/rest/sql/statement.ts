import type { Value } from '#server/database/port.ts'

/** SQL and the values of its parameters. Whatever a client wrote is among the values, never in the text, but for
 * the number of rows that are wanted. */
export interface Statement {
  text: string
  values: readonly Value[]
}

/** Takes a value and gives the place that stands for it in the text: `$1`, `$2`, … */
export type Bind = (value: Value) => string

/** Builds a statement; the values are collected while the text is written. */
export function statement(write: (bind: Bind) => string): Statement {
  const values: Value[] = []
  const text = write((value) => `$${values.push(value)}`)
  return { text, values }
}
