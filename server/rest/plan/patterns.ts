import type { Condition } from '../request/grammar.ts'
import type { FieldRef, Plan } from './types.ts'

const MAX_LENGTH = 200
/** How many repetitions all bounds such as `{2,40}` may ask for, multiplied: `(.{1,200}){1,200}` takes minutes. */
const MAX_REPETITIONS = 1000

/**
 * Whether a regular expression can hold a processor for minutes. PostgreSQL's engine is linear except for references
 * back to a group and for counted repetition, both measured; where a doubled backslash makes it unclear, it is.
 */
export function isCostlyPattern(pattern: string): boolean {
  if (pattern.length > MAX_LENGTH || /\\[1-9]/.test(pattern)) return true
  const counts = [...pattern.matchAll(/\{\s*(\d+)(?:\s*,\s*(\d+))?/g)].map(([, least, most]) =>
    Number(most ?? least),
  )
  return counts.reduce((product, count) => product * Math.max(count, 1), 1) > MAX_REPETITIONS
}

/** Whether any filter of the plan matches by a costly regular expression. */
export function hasCostlyPattern(plan: Plan): boolean {
  const written = plan.kind === 'update' || plan.kind === 'delete' ? plan.where : []
  const matching = plan.kind === 'insert' ? plan.matching : []
  return [...plan.rows.where, ...written, ...matching].some(isCostly)
}

function isCostly(condition: Condition<FieldRef>): boolean {
  if (condition.kind !== 'test') return condition.conditions.some(isCostly)
  const { predicate } = condition
  if (predicate.kind !== 'compare') return false
  return (
    (predicate.operator === 'match' || predicate.operator === 'imatch') && isCostlyPattern(predicate.value)
  )
}
