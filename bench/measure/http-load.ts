import { connect } from 'node:net'
import { processorSeconds } from './process-usage.ts'

/** One request, sent again and again. */
interface Target {
  port: number
  path: string
  headers: Record<string, string>
}

const CONNECTIONS = 16

/**
 * Requests that a server answers in some milliseconds, over some kept-alive connections; the client is as lean as can be
 * (it counts bytes instead of reading answers). Errors: a connection that breaks.
 */
export async function answersWithin(target: Target, milliseconds: number): Promise<number> {
  const request = requestText(target)
  const answerBytes = await sizeOfAnswer(target.port, request)
  const until = performance.now() + milliseconds
  const counts = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => askUntil({ port: target.port, request, answerBytes, until })),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Requests that a server's process answers per second of its own processor time: it does not matter who else is busy. */
export async function requestsPerSecond(
  target: Target & { pid: number },
  milliseconds: number,
): Promise<number> {
  const before = await processorSeconds(target.pid)
  const answers = await answersWithin(target, milliseconds)
  return answers / ((await processorSeconds(target.pid)) - before)
}

const requestText = ({ path, port, headers }: Target): string => {
  const lines = Object.entries({ host: `127.0.0.1:${port}`, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  return `GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
}

/** Every answer is as long as the first: the bytes are the same, and so are the lengths of date and request id. */
const sizeOfAnswer = (port: number, request: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    let answer = Buffer.alloc(0)
    socket.once('error', reject)
    socket.on('data', (chunk) => {
      answer = Buffer.concat([answer, chunk])
      const head = answer.indexOf('\r\n\r\n')
      const length = /content-length: (\d+)/i.exec(answer.toString('latin1', 0, Math.max(head, 0)))?.[1]
      if (head < 0 || answer.length < head + 4 + Number(length ?? 0)) return
      socket.destroy()
      if (length === undefined) reject(new Error('the answer does not tell its length'))
      else resolve(head + 4 + Number(length))
    })
  })

interface Loop {
  port: number
  request: string
  answerBytes: number
  until: number
}

const askUntil = ({ port, request, answerBytes, until }: Loop): Promise<number> =>
  new Promise((resolve, reject) => {
    let answered = 0
    let received = 0
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    socket.setNoDelay(true)
    socket.once('error', reject)
    socket.on('data', (chunk) => {
      received += chunk.length
      if (received < answerBytes) return
      received -= answerBytes
      answered++
      if (performance.now() < until) socket.write(request)
      else {
        socket.destroy()
        resolve(answered)
      }
    })
  })
