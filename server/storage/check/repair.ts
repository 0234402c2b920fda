import type { Database, Transaction } from '#server/database/port.ts'
import type { Disagreements, NamedBytes } from './find-disagreements.ts'

/**
 * Makes database and files agree: rows that lost their bytes go (such an object answers 404 already), an upload that
 * lost a piece begins anew, and bytes that nobody names are removed.
 */
export async function repair(db: Database, { lost, forgotten, halfWritten }: Disagreements): Promise<void> {
  await db.asOwner('rows lost their bytes', async (tx) => {
    for (const row of lost) await forget[row.kind](tx, row)
    await tx.query(
      'delete from storage.image_variants where source not in (select version from storage.objects where version is not null)',
    )
  })
  for (const file of [...forgotten, ...halfWritten]) await file.remove()
}

const forget: Record<NamedBytes['kind'], (tx: Transaction, row: NamedBytes) => Promise<unknown>> = {
  object: (tx, { id, version }) =>
    tx.query('delete from storage.objects where id = $1 and version is not distinct from $2', [id, version]),
  piece: (tx, { id }) => tx.query('delete from storage.resumable_uploads where id = $1', [id]),
  variant: (tx, { version }) => tx.query('delete from storage.image_variants where version = $1', [version]),
}
