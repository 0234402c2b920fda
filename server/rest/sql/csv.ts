import type { Output } from '../plan/types.ts'

/**
 * One line for each row, fields by commas, quoted where needed (RFC 4180). A record's text form is that already, but
 * for the parentheses around it and its doubled backslashes.
 */
export const csvRows = (item: string, filter: string): string =>
  `coalesce(string_agg(replace(substr(${item}::text, 2, length(${item}::text) - 2), E'\\\\\\\\', E'\\\\'), E'\\n') ${filter}, '')`

/** The first line: the columns' names. `everything` is what `*` stands for. */
export function csvHeader(select: readonly Output[], everything: Iterable<string>): string {
  const all = [...everything]
  const names = select.flatMap((output) => (output.kind === 'everything' ? all : [output.name]))
  return names.map((name) => (/[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join(',')
}
