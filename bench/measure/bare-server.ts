// A bare node:http server that sends one file with the headers in an environment variable: what the machine can do at best.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const body = readFileSync(process.env.BODY ?? '')
const headers = JSON.parse(process.env.HEADERS ?? '{}')

const server = createServer((_request, response) => {
  response.writeHead(200, headers)
  response.end(body)
})
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify(server.address())))
