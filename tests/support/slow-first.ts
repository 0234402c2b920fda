import { readFile } from 'node:fs/promises'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What starts or ends processes, or waits for clocks; such files take a minute, others a few seconds. */
const SLOW =
  /support\/(backups|kills|network|own-database|postgres-server|run-tool|server-(group|process))\.ts/

/** Slow files first: one that came last would run alone, while the other workers have nothing to do. */
export default class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const slow = new Set<TestSpecification>()
    for (const file of sorted) if (SLOW.test(await readFile(file.moduleId, 'utf8'))) slow.add(file)
    return [...slow, ...sorted.filter((file) => !slow.has(file))]
  }
}
