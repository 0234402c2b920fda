import type { Config } from '#server/config/config.ts'
import type { Database } from '#server/database/port.ts'

/** Tells the database what its policies have to know of the owner's choices (supabase/migrations/20261120000800). */
export async function writeProductSettings(
  db: Database,
  { requireMfa }: Pick<Config['admin'], 'requireMfa'>,
) {
  await db.asOwner('settings of the policies', (tx) =>
    tx.query(
      `insert into private.settings (name, value) values ('admin_require_mfa', $1)
       on conflict (name) do update set value = excluded.value where settings.value <> excluded.value`,
      [requireMfa],
    ),
  )
}
