import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { simpleParser } from 'mailparser'
import type { ServerProcess } from './server-process.ts'

const WITHIN_MS = 15_000

const LINK = /https?:\S+\/verify\?\S+/
const CODE = /\b(\d{6})\b/

/**
 * The newest message to an address or number that holds a link or a code, as text; others only tell what has happened.
 * Errors: none came in time.
 */
export async function messageTo({ dataDir }: ServerProcess, to: string): Promise<string> {
  const folder = join(dataDir, 'outbox')
  for (const deadline = Date.now() + WITHIN_MS; Date.now() < deadline; await sleep(100)) {
    const names = (await readdir(folder).catch(() => [])).toSorted().toReversed()
    for (const name of names) {
      const raw = await readFile(join(folder, name), 'utf8')
      if (!raw.includes(`To: ${to}`)) continue
      const text = name.endsWith('.eml') ? ((await simpleParser(raw)).text ?? '') : raw
      if (LINK.test(text) || CODE.test(text)) return text
    }
  }
  throw new Error(`No message to ${to} came`)
}

/** The six digits of a message. */
export const codeIn = (message: string): string => CODE.exec(message)?.[1] ?? 'no code'

/** The address that a message's button opens. */
export const linkIn = (message: string): string => LINK.exec(message)?.[0] ?? 'no link'
