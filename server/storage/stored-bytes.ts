import { DatabaseUnavailable } from '#server/database/errors.ts'
import type { Transaction } from '#server/database/port.ts'
import type { StorageDeps } from './deps.ts'

type Unneeded = ReadonlyArray<{ version: string | null }>

/**
 * Removes bytes that no row names any more. The rows are gone by then, so a failure is nobody's answer: it is logged,
 * and `npm run storage -- check --repair` finds what stayed behind.
 */
export async function discard(
  { files, log }: Pick<StorageDeps, 'files' | 'log'>,
  unneeded: Unneeded,
): Promise<void> {
  for (const { version } of unneeded) {
    if (version === null) continue
    await files.remove(version).catch((error) => log.error({ err: error, version }, 'bytes were left behind'))
  }
}

/**
 * Removes bytes whose row was refused, and passes the error on. When the database went away nobody knows whether the
 * row was committed: then the bytes stay, because bytes too many can be swept, and lost ones cannot be found again.
 */
export async function discardUnlessKept(
  deps: Pick<StorageDeps, 'files' | 'log'>,
  row: { version: string },
  error: unknown,
): Promise<never> {
  if (!(error instanceof DatabaseUnavailable)) await discard(deps, [row])
  throw error
}

/** Removes the bytes of objects that were removed or replaced, and of what was made of them. */
export async function discardObjects(
  deps: Pick<StorageDeps, 'db' | 'files' | 'log'>,
  unneeded: Unneeded,
): Promise<void> {
  if (unneeded.length === 0) return
  await discard(deps, unneeded)
  const variants = await deps.db
    .asOwner('pictures of what is gone', (tx) => deleteVariants(tx, unneeded))
    .catch((error) => {
      deps.log.error({ err: error }, 'pictures were left behind')
      return []
    })
  await discard(deps, variants)
}

async function deleteVariants(tx: Transaction, sources: Unneeded): Promise<Array<{ version: string }>> {
  const { rows } = await tx.query<{ version: string }>(
    `delete from storage.image_variants
     where source in (select jsonb_array_elements_text($1::jsonb)) returning version`,
    [JSON.stringify(sources.map(({ version }) => version))],
  )
  return rows
}
