import type { Logger } from 'pino'
import { z } from 'zod'
import { type ContentVersion, watchHosted } from '#server/site/content-watch.ts'
import type { Backend } from './port.ts'

interface Project {
  url: string
  publishableKey: string
}

/** A project that Supabase's cloud (or a stack of one's own) hosts: nothing of ours runs but the site. */
export function openHosted({ url, publishableKey }: Project, log: Logger): Backend {
  const readVersion = () => readContentVersion(url, publishableKey)
  return {
    apiUrl: url,
    publishableKey,
    fetchFor: () => fetch,
    ready: async () => {
      await readVersion()
    },
    watchContent: async (observer) => watchHosted(readVersion, observer, log),
    close: async () => undefined,
  }
}

const Version = z.tuple([
  z
    .object({ version: z.coerce.number(), removal_version: z.coerce.number() })
    .transform(({ version, removal_version: removal }): ContentVersion => ({ version, removal })),
])
const ANSWER_WITHIN_MS = 2_000

async function readContentVersion(url: string, publishableKey: string): Promise<ContentVersion> {
  const answer = await fetch(`${url}/rest/v1/content_version?select=version,removal_version`, {
    headers: { apikey: publishableKey },
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}; have the migrations been pushed?`)
  return Version.parse(await answer.json())[0]
}
