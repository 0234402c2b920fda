import type {
  AggregateName,
  Condition,
  JsonStep,
  Media,
  OrderTerm,
  Payload,
  Preferences,
  Window,
} from '../request/types.ts'
import type { Column, Routine, Table } from '../schema.ts'

/** A column of the schema cache, and a path into it. */
export interface FieldRef {
  column: Column
  path: JsonStep[]
}

/** One column of the answer. Casts are types as SQL writes them. */
export type Output =
  | { kind: 'everything' }
  | { kind: 'field'; name: string; field: FieldRef; cast?: string }
  | {
      kind: 'aggregate'
      name: string
      aggregate: AggregateName
      field?: FieldRef
      fieldCast?: string
      cast?: string
    }

/** Which rows, in which order, with which columns. */
export interface RowsPlan {
  select: Output[]
  where: Array<Condition<FieldRef>>
  order: Array<OrderTerm<FieldRef>>
  window: Window
}

export interface Answer {
  media: Media
  /** The rows are counted but not written out: HEAD, or a write that asked for nothing back. */
  empty: boolean
  count?: NonNullable<Preferences['count']>
}

/** What must hold once the rows are there; otherwise all is undone. */
export interface Checks {
  /** Exactly one row, for an answer that is one object. */
  single: boolean
  maxAffected?: number
  /** PUT: the body's keys were those of the address. */
  replacesOne: boolean
}

interface Common {
  rows: RowsPlan
  answer: Answer
  checks: Checks
}

export type JsonPayload = Extract<Payload, { kind: 'json' }>

export interface Conflict {
  columns: string[]
  resolution: 'merge' | 'ignore'
}

/** What a write gives back: nothing but the number of rows, the keys for `Location`, or the rows. */
export type Returning = 'nothing' | 'location' | 'rows'

export interface ReadPlan extends Common {
  kind: 'read'
  table: Table
}

export interface InsertPlan extends Common {
  kind: 'insert'
  table: Table
  columns: Column[]
  payload: JsonPayload
  /** What a row gets for a column that the body does not mention: its default, or null. */
  missing: 'default' | 'null'
  conflict?: Conflict
  /** PUT: what the new row must be like. */
  matching: Array<Condition<FieldRef>>
  returning: Returning
}

export interface UpdatePlan extends Common {
  kind: 'update'
  table: Table
  columns: Column[]
  payload: JsonPayload
  missing: 'default' | 'null'
  where: Array<Condition<FieldRef>>
  returning: Returning
}

export interface DeletePlan extends Common {
  kind: 'delete'
  table: Table
  where: Array<Condition<FieldRef>>
  returning: Returning
}

export type CallArguments =
  /** Arguments in the query string, by name. */
  | { kind: 'direct'; values: ReadonlyMap<string, string | string[]> }
  /** Members of the object in the body. */
  | { kind: 'json'; text: string; names: string[] }
  /** The whole body for the only, unnamed argument. */
  | { kind: 'whole'; text: string }

export interface CallPlan extends Common {
  kind: 'call'
  routine: Routine
  args: CallArguments
  readOnly: boolean
}

/** A request whose names have all been found. */
export type Plan = ReadPlan | InsertPlan | UpdatePlan | DeletePlan | CallPlan
