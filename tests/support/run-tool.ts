import { type ChildProcess, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NODE_COMPILE_CACHE } from './server-process.ts'

const root = join(import.meta.dirname, '../..')

/** What a command wrote, and how it ended; null: by a signal. */
interface Ended {
  code: number | null
  said: string
}

/** Starts one of `tools/` with these settings and none of this process's own. */
export function startTool(
  tool: string,
  args: readonly string[],
  env: Record<string, string>,
): { process: ChildProcess; ended: Promise<Ended> } {
  const {
    PATH = '',
    HOME = '',
    TMPDIR = tmpdir(),
    AWS_ACCESS_KEY_ID = '',
    AWS_SECRET_ACCESS_KEY = '',
  } = process.env
  const child = spawn(process.execPath, [`tools/${tool}.ts`, ...args], {
    cwd: root,
    env: { PATH, HOME, TMPDIR, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, NODE_COMPILE_CACHE, ...env },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, said })))
  return { process: child, ended }
}

export const runTool = (tool: string, args: readonly string[], env: Record<string, string>): Promise<Ended> =>
  startTool(tool, args, env).ended
