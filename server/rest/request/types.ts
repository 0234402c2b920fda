/** The query string, key by key. */
export interface Query {
  select: SelectItem[]
  where: At<Condition>[]
  order: At<OrderTerm[]>[]
  limits: At<number>[]
  offsets: At<number>[]
  columns?: string[]
  onConflict?: string[]
  /** Arguments of a function called by GET, in the order given; a variadic one is repeated. */
  args: Array<readonly [name: string, value: string]>
}

export interface Preferences {
  resolution?: 'merge-duplicates' | 'ignore-duplicates'
  return?: 'representation' | 'minimal' | 'headers-only'
  count?: 'exact' | 'planned' | 'estimated'
  missing?: 'default' | 'null'
  handling?: 'strict' | 'lenient'
  timezone?: string
  maxAffected?: number
  /** What no server knows, in the client's words. */
  invalid: string[]
}

export type PlanOption = 'analyze' | 'verbose' | 'settings' | 'buffers' | 'wal'

/** A form that rows can be answered in. */
export type RowMedia = { kind: 'array' | 'object'; stripped: boolean } | { kind: 'csv' | 'text' | 'binary' }
/** How the answer is to look: the rows, or how PostgreSQL would find them. */
export type Media = RowMedia | { kind: 'plan'; format: 'json' | 'text'; options: PlanOption[]; of: RowMedia }

/** One entry of the Accept header; without `media` when nobody here knows the type. */
export interface Acceptable {
  type: string
  media?: Media
}

/** What the client sent to be stored or passed on. */
export type Payload =
  | { kind: 'none' }
  /** JSON, kept as text. `keys` are those of the object, or of each object of the array. */
  | { kind: 'json'; text: string; shape: 'object' | 'array' | 'scalar'; keys: string[] }
  /** A whole body for a function's only, unnamed argument. */
  | { kind: 'raw'; type: 'text' | 'xml' | 'bytea'; text: string }

export interface Window {
  limit?: number
  offset: number
}

export type Target = { kind: 'relation' | 'routine'; name: string }

/** What the client wants. */
export type Action =
  | { kind: 'read'; relation: string }
  | { kind: 'insert' | 'replace' | 'update'; relation: string; payload: Payload }
  | { kind: 'delete'; relation: string }
  | { kind: 'call'; routine: string; by: 'query' | 'body'; payload: Payload }

/** A request that was understood: words only, no name in it has been looked up yet. */
export interface RestRequest {
  action: Action
  schema: string
  /** The client chose the schema by a profile header, and is told which one answered. */
  schemaChosen: boolean
  /** HEAD: the same answer without a body. */
  head: boolean
  query: Query
  window: Window
  prefer: Preferences
  accept: Acceptable[]
}

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
