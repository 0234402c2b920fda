import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository's folder. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

const binFolder = join(root, 'node_modules', '.bin')
/** Node 24 from our own dependencies comes first, whatever the machine has. */
const PATH = [binFolder, process.env.PATH].join(process.platform === 'win32' ? ';' : ':')

/** A command of our own runtime. */
export const runNode = (args) => ({
  command: existsSync(join(binFolder, 'node')) ? join(binFolder, 'node') : 'node',
  args,
})

const PARENT_CHECK_MS = 500

/**
 * Starts a command in the repository with inherited output; resolves with its exit code. Signals are passed on, and so is
 * the end of the process that started us: npm does not pass its own SIGTERM through the shell between us.
 */
export function exitCodeOf({ command, args, env = {} }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, PATH, ...env } })
    const pass = (signal) => child.kill(signal)
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, pass)
    const parent = process.ppid
    const watch = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(watch)
      pass('SIGTERM')
    }, PARENT_CHECK_MS)
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      clearInterval(watch)
      for (const name of ['SIGINT', 'SIGTERM']) process.off(name, pass)
      resolve(code ?? (signal ? 1 : 0))
    })
  })
}

/** As `exitCodeOf`, but a failure ends this process with the same code. */
export async function run(command) {
  const code = await exitCodeOf(command)
  if (code !== 0) process.exit(code)
}
