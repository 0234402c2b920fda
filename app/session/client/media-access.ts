import { StorageClient } from '@supabase/storage-js'
import { openSession } from '../session.ts'
import type { SiteSettings } from '../site.ts'
import type { Library } from './library.ts'

/** Files, and what the library knows of them, with an admin's rights. */
export interface MediaAccess {
  settings: SiteSettings
  storage: StorageClient
  library(): Promise<Library>
  /** The admin's token, for calls that no client makes. @param renew when the one before was refused */
  token(renew?: boolean): Promise<string>
}

/** For pages where files are chosen. Asks nothing before it is used. */
export const mediaAccess = (settings: SiteSettings): MediaAccess => ({
  settings,
  storage: new StorageClient(
    `${settings.apiUrl}/storage/v1`,
    { apikey: settings.publishableKey },
    async (input, init) => (await openSession()).fetch(input, init),
  ),
  library: async () => (await openSession()).library,
  async token(renew = false) {
    const { client } = await openSession()
    const { data } = renew ? await client.refreshSession() : await client.getSession()
    return data.session?.access_token ?? ''
  },
})
