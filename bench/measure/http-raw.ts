import { get, type IncomingHttpHeaders } from 'node:http'

export interface RawAnswer {
  headers: IncomingHttpHeaders
  body: Buffer
}

/** An answer as it comes over the wire: fetch would unpack it. */
export const fetchRaw = (url: string, encoding: 'br' | 'gzip'): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': encoding } }, async (response) => {
      resolve({ headers: response.headers, body: Buffer.concat(await response.toArray()) })
    }).once('error', reject)
  })
