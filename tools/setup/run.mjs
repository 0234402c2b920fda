import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
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

/**
 * How the service is asked to be modest: V8 would set aside 100 MB for objects that die young, and the C library keeps
 * what compression and pictures gave back, once for each thread. Together that was half of its memory.
 */
const memory = JSON.parse(readFileSync(new URL('memory.json', import.meta.url), 'utf8'))

/** The service itself, by our own runtime. */
export const runService = (args) => ({ ...runNode([...memory.flags, ...args]), env: memory.env })

const PARENT_CHECK_MS = 500
/** Whoever starts us without npm may go and leave us running, as a script at the machine's start does. */
const startedByNpm = process.env.npm_lifecycle_event !== undefined

/**
 * Starts a command in the repository with inherited output; resolves with its exit code. Signals are passed on, and so is
 * the end of an npm that started us, which does not pass its own SIGTERM through the shell between us.
 */
export function exitCodeOf({ command, args, env = {} }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, PATH, ...env } })
    const pass = (signal) => child.kill(signal)
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, pass)
    const parent = process.ppid
    const watch = setInterval(() => {
      if (!startedByNpm || process.ppid === parent) return
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
