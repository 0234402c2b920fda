/** A column of a table, view or result; or a function that takes the table's row and is read like a column. */
export interface Column {
  name: string
  /** As SQL writes it, with its schema where needed: `character varying(10)`, `public.mood`. */
  type: string
  /** The type beneath domains, without length. */
  base: string
  nullable: boolean
  /** SQL expression of the value that a row gets when none is given. */
  default?: string
  identity?: 'always' | 'by default'
  generated: boolean
  /** Set for a computed column: the function's schema; its name is the column's. */
  computedIn?: string
}

export interface Table {
  schema: string
  name: string
  columns: ReadonlyMap<string, Column>
  computed: ReadonlyMap<string, Column>
  /** Empty for views and tables without one. */
  primaryKey: readonly string[]
}

export interface Parameter {
  /** Empty if the function gives it none. */
  name: string
  type: string
  optional: boolean
  variadic: boolean
}

export type Returns =
  | { kind: 'void' }
  | { kind: 'scalar'; many: boolean; type: string }
  | { kind: 'row'; many: boolean; columns: ReadonlyMap<string, Column> }

/** One function; several may share a name. */
export interface Routine {
  schema: string
  name: string
  parameters: readonly Parameter[]
  volatility: 'immutable' | 'stable' | 'volatile'
  returns: Returns
}

/** What the exposed schemas offer. Every name that reaches SQL is one that was read from here. */
export interface SchemaCache {
  table(schema: string, name: string): Table | undefined
  routines(schema: string, name: string): readonly Routine[]
  /** The type as SQL writes it, for a cast to a type that the client names. */
  type(name: string): string | undefined
  tableNames(schema: string): readonly string[]
  routineNames(schema: string): readonly string[]
}

/** The name most like the misspelt one, if any is like it at all. */
export function mostSimilar(wanted: string, names: readonly string[], atLeast = 0.7): string | undefined {
  const scored = names.map((name) => ({ name, score: similarity(wanted, name) }))
  return scored.filter(({ score }) => score >= atLeast).toSorted((a, b) => b.score - a.score)[0]?.name
}

/** 1 for equal texts, 0 for texts with nothing in common: the share of pairs of neighbouring letters that both have. */
function similarity(a: string, b: string): number {
  const [pairsOfA, pairsOfB] = [pairs(a), pairs(b)]
  const shared = pairsOfA.filter((pair) => pairsOfB.includes(pair)).length
  return (2 * shared) / (pairsOfA.length + pairsOfB.length)
}

const pairs = (text: string): string[] => {
  const framed = ` ${text.slice(0, 63).toLowerCase()} `
  return Array.from({ length: framed.length - 1 }, (_, i) => framed.slice(i, i + 2))
}
