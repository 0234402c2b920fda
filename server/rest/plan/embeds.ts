import { restErrors } from '../errors.ts'
import type { Query } from '../request/types.ts'

/**
 * Embedding other tables is read but not planned yet; each way to ask for it is refused by name.
 * Errors: PGRST127.
 */
export function refuseEmbeds({ select, where, order, limits, offsets }: Query): void {
  for (const item of select) {
    if (item.kind === 'embed')
      refuse(item.relation, `${item.spread ? '...' : ''}${item.relation}(…) in select`)
  }
  for (const { path } of [...where, ...order, ...limits, ...offsets]) {
    if (path[0] !== undefined) refuse(path[0], `a parameter of ${path.join('.')}`)
  }
  for (const { relation } of order.flatMap((at) => at.value)) {
    if (relation !== undefined) refuse(relation, `${relation}(…) in order`)
  }
}

function refuse(relation: string, where: string): never {
  throw restErrors.notImplemented(`Embedding of '${relation}' is not supported: ${where}`)
}
