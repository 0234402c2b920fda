import type { Database } from '#server/database/port.ts'
import type { Disagreements } from './find-disagreements.ts'

/**
 * Makes database and files agree: rows that lost their bytes go (such an object answers 404 already), an upload that
 * lost a piece begins anew, and bytes that nobody names are removed.
 */
export async function repair(db: Database, { lost, forgotten, halfWritten }: Disagreements): Promise<void> {
  for (const { kind, id, version } of lost) {
    await db.asOwner('a row lost its bytes', (tx) =>
      kind === 'object'
        ? tx.query('delete from storage.objects where id = $1 and version is not distinct from $2', [
            id,
            version,
          ])
        : tx.query('delete from storage.resumable_uploads where id = $1', [id]),
    )
  }
  for (const file of [...forgotten, ...halfWritten]) await file.remove()
}
