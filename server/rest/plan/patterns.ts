import type { Condition } from '../request/types.ts'
import type { FieldRef, Plan } from './types.ts'

const MAX_LENGTH = 200
/** How many repetitions all bounds such as `{2,40}` may ask for, multiplied: `(.{1,200}){1,200}` takes minutes. */
const MAX_REPETITIONS = 1000
/** How many alternatives a pattern may have: with repetition around them, states multiply. */
const MAX_ALTERNATIVES = 20

/**
 * Whether a regular expression can hold a processor until the statement is ended. PostgreSQL's engine is linear except
 * for references back to a group, for looking ahead and behind, and for counted repetition, all measured; where a
 * doubled backslash makes it unclear, it is.
 */
export function isCostlyPattern(pattern: string): boolean {
  if (pattern.length > MAX_LENGTH || /\\[1-9]|\(\?<?[=!]/.test(pattern)) return true
  if (pattern.split('|').length > MAX_ALTERNATIVES) return true
  const counts = [...pattern.matchAll(/\{\s*(\d+)(?:\s*,\s*(\d+))?/g)].map(([, least, most]) =>
    Number(most ?? least),
  )
  return counts.reduce((product, count) => product * Math.max(count, 1), 1) > MAX_REPETITIONS
}

/** The regular expressions that rows are matched by; those of `match(any)` stand in one text, braces and all. */
export function patternsOf(plan: Plan): string[] {
  const written = plan.kind === 'update' || plan.kind === 'delete' ? plan.where : []
  const matching = plan.kind === 'insert' ? plan.matching : []
  return [...plan.rows.where, ...written, ...matching].flatMap(patternsIn)
}

function patternsIn(condition: Condition<FieldRef>): string[] {
  if (condition.kind !== 'test') return condition.conditions.flatMap(patternsIn)
  const { predicate } = condition
  if (predicate.kind !== 'compare') return []
  if (predicate.operator !== 'match' && predicate.operator !== 'imatch') return []
  // An approximation from above: a comma inside an element counts too.
  return predicate.quantifier ? predicate.value.slice(1, -1).split(',') : [predicate.value]
}
