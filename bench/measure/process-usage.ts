import { readdir, readFile } from 'node:fs/promises'

/**
 * The memory of a process and all that it has started, in MB: what several of them share counts once. Linux only.
 */
export async function familyMegabytes(pid: number): Promise<number> {
  const family = await familyOf(pid)
  const shares = await Promise.all(family.map(proportionalKilobytes))
  return shares.reduce((sum, share) => sum + share, 0) / 1024
}

async function proportionalKilobytes(pid: number): Promise<number> {
  // A process that has ended since it was listed holds nothing.
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? 0)
}

async function familyOf(pid: number): Promise<number[]> {
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = await Promise.all(
    tasks.map((task) => readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => '')),
  )
  const children = lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number))
  return [pid, ...(await Promise.all(children.map(familyOf))).flat()]
}

const TICKS_PER_SECOND = 100

/** The processor time that a process has used so far, in seconds. Linux only. */
export async function processorSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The name of the program, in parentheses, may hold spaces; user and system time are the 12th and 13th field behind it.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return (Number(user) + Number(system)) / TICKS_PER_SECOND
}
