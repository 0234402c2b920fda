import type { Hono } from 'hono'
import type { ServiceFigures } from '#server/metrics/serve.ts'
import type { ContentObserver, ContentWatch } from '#server/site/content-watch.ts'
import type { NewAdmin } from './first-admin.ts'

/** What answers the three Supabase protocols: our own servers over a database, or a hosted project. */
export interface Backend {
  /** Our own protocol servers, to be mounted beside the site; absent in hosted mode. */
  protocols?: Hono
  /** The address that browsers call, and the key that opens it for visitors. */
  apiUrl: string
  publishableKey: string
  /** The admin whom this very start has made. */
  newAdmin?: NewAdmin | undefined
  /** How the site's loaders reach the protocols, on behalf of the client (`Admission.clientOf`) whose page it is. */
  fetchFor(client: string | undefined): typeof fetch
  /** Resolves when it can answer; rejects with what is wrong. */
  ready(): Promise<void>
  /** What stands in the database, for the metrics; undefined in hosted mode. */
  figures?(): Promise<ServiceFigures>
  /** Tells the observer of each change of the library. */
  watchContent(observer: ContentObserver): Promise<ContentWatch>
  close(): Promise<void>
}
