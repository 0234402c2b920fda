import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { simpleParser } from 'mailparser'
import type { ServerProcess } from './server-process.ts'

const WITHIN_MS = 15_000

/** The newest message to an address or number, as text. Errors: none came in time. */
export async function messageTo({ dataDir }: ServerProcess, to: string): Promise<string> {
  const folder = join(dataDir, 'outbox')
  for (const deadline = Date.now() + WITHIN_MS; Date.now() < deadline; await sleep(100)) {
    const names = (await readdir(folder).catch(() => [])).toSorted().toReversed()
    for (const name of names) {
      const raw = await readFile(join(folder, name), 'utf8')
      if (!raw.includes(`To: ${to}`)) continue
      return name.endsWith('.eml') ? ((await simpleParser(raw)).text ?? '') : raw
    }
  }
  throw new Error(`No message to ${to} came`)
}

/** The six digits of a message. */
export const codeIn = (message: string): string => /\b(\d{6})\b/.exec(message)?.[1] ?? 'no code'
