import { readFile } from 'node:fs/promises'

/** The memory of a process that is in the machine's memory at this moment, in MB. Linux only. */
export async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]
  if (!kilobytes) throw new Error(`process ${pid} is gone`)
  return Number(kilobytes) / 1024
}
