import { isArchive } from './archive.ts'
import type { Archives, ListedArchive } from './archives/port.ts'

/** Those of the nightly job; what somebody made by hand has another name, or stays with it. */
const NIGHTLY = /^walking-together-\d{8}T\d{6}Z\.tar$/

/**
 * The archives that have had their time: the newest `keep` of the verified ones stay, and as many of the others, which may
 * be the ones that are needed after all. Only archives that call themselves ours are named.
 */
export async function outlived(
  archives: Archives,
  { keep, isVerified }: { keep: number; isVerified: (label: string) => boolean },
): Promise<ListedArchive[]> {
  const newestFirst = (await archives.list())
    .filter(({ name }) => NIGHTLY.test(name))
    .sort((a, b) => (a.name < b.name ? 1 : -1))
  const verified = newestFirst.filter(({ name }) => isVerified(archives.describe(name)))
  const others = newestFirst.filter((one) => !verified.includes(one))
  const old = [...verified.slice(keep), ...others.slice(keep)]
  const ours: ListedArchive[] = []
  for (const archive of old) {
    if (await isArchive(await archives.read(archive.name))) ours.push(archive)
  }
  return ours
}
