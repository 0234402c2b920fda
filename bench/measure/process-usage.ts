import { readFile } from 'node:fs/promises'

/** The memory of a process that is in the machine's memory at this moment, in MB. Linux only. */
export async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]
  if (!kilobytes) throw new Error(`process ${pid} is gone`)
  return Number(kilobytes) / 1024
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
