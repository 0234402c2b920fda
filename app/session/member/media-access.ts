import { StorageClient } from '@supabase/storage-js'
import type { Library, MemberAccess } from '../library-client.ts'
import type { SiteSettings } from '../services.ts'
import { openSession } from '../session.ts'

/** Files and what the library knows of them, with an admin's rights. */
export interface MediaAccess {
  settings: SiteSettings
  storage: StorageClient
  library: Library
  /** The admin's token, for calls that no client makes. @param renew when the one before was refused */
  token(renew?: boolean): Promise<string>
}

/** For client loaders of pages where files are chosen. */
export async function mediaAccess({ settings, library }: MemberAccess): Promise<MediaAccess> {
  const { client, fetch } = await openSession()
  return {
    settings,
    library,
    storage: new StorageClient(`${settings.apiUrl}/storage/v1`, { apikey: settings.publishableKey }, fetch),
    async token(renew = false) {
      const { data } = renew ? await client.refreshSession() : await client.getSession()
      return data.session?.access_token ?? ''
    },
  }
}
