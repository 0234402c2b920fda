import type { Column } from '../schema.ts'

/** A name as SQL reads it whatever its characters are. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`

export const qualifiedName = ({ schema, name }: { schema: string; name: string }): string =>
  `${quoteName(schema)}.${quoteName(name)}`

/** Something that rows come from, and how its columns are written. */
export interface Source {
  /** What stands behind `from`. */
  from: string
  /** All columns. */
  row: string
  column: (column: Column) => string
}

/** A table or view, for reading or as the target of a write. Computed columns are calls with its row. */
export const tableSource = (table: { schema: string; name: string }): Source => ({
  from: `${qualifiedName(table)} as t`,
  row: 't.*',
  column: ({ name, computedIn }) =>
    computedIn ? `${qualifiedName({ schema: computedIn, name })}(t.*)` : `t.${quoteName(name)}`,
})

/** A part of the query that already has its columns under their names. */
export const namedSource = (alias: string): Source => ({
  from: alias,
  row: `${alias}.*`,
  column: ({ name }) => `${alias}.${quoteName(name)}`,
})

/** PostgreSQL's text form of an array; as a parameter its elements take the type that the context wants. */
export const arrayLiteral = (values: readonly string[]): string =>
  `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
