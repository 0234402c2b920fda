/** One arrow of a JSON path: `->` gives JSON, `->>` gives text; a number counts into an array. */
export interface JsonStep {
  gives: 'json' | 'text'
  at: string | number
}

/** A column as the client names it, and a path into it. */
export interface Field {
  name: string
  path: JsonStep[]
}

export const comparisons = [
  ...(['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'match', 'imatch'] as const),
  ...(['cs', 'cd', 'ov', 'sl', 'sr', 'nxr', 'nxl', 'adj'] as const),
]
export type Comparison = (typeof comparisons)[number]

export const searches = ['fts', 'plfts', 'phfts', 'wfts'] as const
export type Search = (typeof searches)[number]
export type Truth = 'null' | 'not_null' | 'true' | 'false' | 'unknown'

/** What a filter asks of a value. */
export type Predicate =
  | { kind: 'compare'; operator: Comparison; quantifier?: 'any' | 'all'; value: string }
  | { kind: 'in'; values: string[] }
  | { kind: 'is'; truth: Truth }
  | { kind: 'distinct'; value: string }
  | { kind: 'search'; operator: Search; config?: string; value: string }

/** A tree of filters. `F` is how a column is named: by the client (`Field`), or resolved by the planner. */
export type Condition<F = Field> =
  | { kind: 'test'; negated: boolean; field: F; predicate: Predicate }
  | { kind: 'and' | 'or'; negated: boolean; conditions: Condition<F>[] }

export type AggregateName = 'sum' | 'avg' | 'max' | 'min' | 'count'

/** One item of `select`. An aggregate without a field counts rows. */
export type SelectItem =
  | { kind: 'everything' }
  | { kind: 'field'; field: Field; cast?: string; alias?: string }
  | {
      kind: 'aggregate'
      name: AggregateName
      field?: Field
      fieldCast?: string
      cast?: string
      alias?: string
    }
  | Embed

/** Another table's rows inside each row: `alias:relation!hint!inner(items)`, or spread over it: `...relation(items)`. */
export interface Embed {
  kind: 'embed'
  relation: string
  spread: boolean
  alias?: string
  hint?: string
  join?: 'inner' | 'left'
  items: SelectItem[]
}

/** One term of `order`; `relation` names the embed whose column is meant. */
export interface OrderTerm<F = Field> {
  field: F
  relation?: string
  descending: boolean
  nulls?: 'first' | 'last'
}

/** Something said of the table itself (empty path) or of an embed: `comments.author.name=eq.x`. */
export interface At<T> {
  path: string[]
  value: T
}
