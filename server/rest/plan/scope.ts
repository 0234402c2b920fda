import { restErrors } from '../errors.ts'
import type { Condition, Field, OrderTerm } from '../request/types.ts'
import { type Catalogue, type Column, mostSimilar, type Routine, type Table } from '../schema.ts'
import type { FieldRef } from './types.ts'

/** Where the names of a request are looked up: the columns of one table or of one function's result. */
export interface Scope {
  name: string
  columns: ReadonlyMap<string, Column>
  computed: ReadonlyMap<string, Column>
  catalogue: Catalogue
}

export const tableScope = ({ name, columns, computed }: Table, catalogue: Catalogue): Scope => ({
  name,
  columns,
  computed,
  catalogue,
})

export const resultScope = ({ name, returns }: Routine, catalogue: Catalogue): Scope => ({
  name,
  columns: returns.kind === 'row' ? returns.columns : new Map(),
  computed: new Map(),
  catalogue,
})

/** Errors: 42703 for a column that is not there. */
export function resolveField({ name, path }: Field, scope: Scope): FieldRef {
  const column = scope.columns.get(name) ?? scope.computed.get(name)
  if (!column) throw restErrors.unknownColumn(scope.name, name, mostSimilar(name, [...scope.columns.keys()]))
  return { column, path }
}

/** Errors: 42704 for a type that is not there. */
export function resolveType(name: string, scope: Scope): string {
  const type = scope.catalogue.type(name)
  if (!type) throw restErrors.unknownType(name)
  return type
}

export function resolveCondition(condition: Condition, scope: Scope): Condition<FieldRef> {
  if (condition.kind === 'test') return { ...condition, field: resolveField(condition.field, scope) }
  return { ...condition, conditions: condition.conditions.map((inner) => resolveCondition(inner, scope)) }
}

export const resolveOrder = (term: OrderTerm, scope: Scope): OrderTerm<FieldRef> => ({
  ...term,
  field: resolveField(term.field, scope),
})
