// A hostile client on a thread of its own, so that it does not slow the clocks of those who measure.
import { parentPort, workerData } from 'node:worker_threads'
import { actHostile, hostileKinds, type Target } from './kinds.ts'

const { name, target, from } = workerData as { name: string; target: Target; from: string }
const stop = new AbortController()
parentPort?.once('message', () => stop.abort())
const kind = hostileKinds[name]
if (!kind) throw new Error(`there is no hostile client called ${name}`)
await actHostile(kind, target, from, stop.signal)
