import type { Logger } from 'pino'
import type { Files } from '#server/files/port.ts'

/**
 * Removes bytes that no row names any more. The row is gone by then, so a failure is nobody's answer: it is logged, and
 * `npm run storage -- check --repair` finds what stayed behind.
 */
export async function discard(
  { files, log }: { files: Files; log: Logger },
  unneeded: ReadonlyArray<{ version: string | null }>,
): Promise<void> {
  for (const { version } of unneeded) {
    if (version === null) continue
    await files.remove(version).catch((error) => log.error({ err: error, version }, 'bytes were left behind'))
  }
}
