import type { Plan } from '../plan/types.ts'
import type { Preferences } from '../request/types.ts'

/** The Preference-Applied header: which of the wishes were granted. Undefined if none was. */
export function preferenceApplied(plan: Plan, prefer: Preferences): string | undefined {
  const writes = plan.kind === 'insert' || plan.kind === 'update' || plan.kind === 'delete'
  const posts = plan.kind === 'insert' && !plan.checks.replacesOne
  const limited = plan.kind !== 'read' && plan.checks.maxAffected !== undefined
  const granted = {
    resolution: posts && plan.conflict ? prefer.resolution : undefined,
    missing: posts || plan.kind === 'update' ? prefer.missing : undefined,
    return: writes ? prefer.return : undefined,
    count: prefer.count,
    handling: prefer.handling,
    timezone: prefer.timezone,
    'max-affected': limited ? prefer.maxAffected : undefined,
  }
  const words = Object.entries(granted).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  )
  return words.length > 0 ? words.join(', ') : undefined
}
