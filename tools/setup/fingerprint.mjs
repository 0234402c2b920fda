import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './run.mjs'

/** One digest of all files below the given paths (of the repository), their names included. */
export async function fingerprint(paths) {
  const hash = createHash('sha256')
  for (const path of paths) {
    for (const file of await filesBelow(path))
      hash.update(`${file}\0`).update(await readFile(join(root, file)))
  }
  return hash.digest('hex')
}

async function filesBelow(path) {
  const info = await stat(join(root, path)).catch(() => undefined)
  if (!info) return []
  if (info.isFile()) return [path]
  const entries = await readdir(join(root, path))
  return (await Promise.all(entries.sort().map((name) => filesBelow(join(path, name))))).flat()
}
