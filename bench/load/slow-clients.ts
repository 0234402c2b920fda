import { connect, type Socket } from 'node:net'

const DROP_MS = 1_000

/**
 * Clients that hold a connection and hardly use it: half of them say what they want letter by letter, the others ask
 * for a recording and read none of it. Returns what ends them.
 */
export function slowClients(port: number, recording: string, many: number): () => void {
  const request = `GET ${recording} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`
  const sockets = Array.from({ length: many }, (_, n) =>
    n % 2 ? mute(port, request) : dropping(port, request),
  )
  return () => {
    for (const socket of sockets) socket.destroy()
  }
}

function mute(port: number, request: string): Socket {
  const socket = connect(port, '127.0.0.1', () => socket.write(request))
  return socket.on('error', () => undefined).pause()
}

function dropping(port: number, request: string): Socket {
  let said = 0
  const socket = connect(port, '127.0.0.1')
  const timer = setInterval(() => socket.write(request.charAt(said++ % request.length)), DROP_MS)
  return socket.on('error', () => undefined).once('close', () => clearInterval(timer))
}
