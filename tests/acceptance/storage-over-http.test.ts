import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { getRequestListener } from '@hono/node-server'
import { StorageClient } from '@supabase/storage-js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { mp3, png } from '#tests/support/samples.ts'
import { headersOf, storages, type TestStorage, type Who } from '#tests/support/storage.ts'

const MB = 1024 * 1024

/** With a socket between, as a body that nobody reads must not cost the client its answer. */
describe.each(storages)('uploads through a real server, on %s', (_name, open) => {
  let storage: TestStorage
  let server: Server
  let port: number
  beforeAll(async () => {
    storage = await open()
    await storage.as('service').createBucket('open-ended', { public: false })
    // The database has taken the memory that it needs before anybody measures.
    await storage.as('admin').from('audio').upload('warm-up.mp3', mp3, { contentType: 'audio/mpeg' })
    await storage.as('admin').from('audio').remove(['warm-up.mp3'])
    server = createServer(getRequestListener(storage.fetch))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  })
  afterEach(async () => {
    await storage.as('service').emptyBucket('open-ended')
  })
  afterAll(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await storage.close()
  })
  const as = (who: Who) => new StorageClient(`http://127.0.0.1:${port}/storage/v1`, headersOf(who))

  it('stream: 50 MB and a byte are refused, and nothing remains', async () => {
    const { error } = await as('admin')
      .from('audio')
      .upload('long.mp3', stream(50 * MB + 1), { contentType: 'audio/mpeg' })
    expect(error).toMatchObject({ status: 413, message: 'The object exceeded the maximum allowed size' })
    expect(await storage.storedKeys()).toEqual([])
    expect((await as('admin').from('audio').list()).data).toEqual([])
  })

  it('stream: 120 MB are taken with less than half of it in memory, and come back as they were', async () => {
    const watch = watchMemory()
    const vault = as('service').from('open-ended')
    const { error } = await vault.upload('large.mp3', stream(120 * MB, watch.look), {
      contentType: 'audio/mpeg',
    })
    expect(error).toBeNull()
    expect(watch.growth()).toBeLessThan(60 * MB)
    const url = (await vault.createSignedUrl('large.mp3', 60)).data?.signedUrl ?? ''
    const end = await fetch(url, { headers: { range: 'bytes=-5' } })
    expect([end.status, await end.text()]).toEqual([206, '\0'.repeat(5)])
    await vault.remove(['large.mp3'])
  })

  it.each([
    ['visitor', 'audio', 'audio/mpeg', 403],
    ['admin', 'audio', 'audio/mpeg', 413],
    ['admin', 'images', 'audio/mpeg', 415],
    ['admin', 'nowhere', 'audio/mpeg', 404],
  ] as const)('%s learns why 60 MB for %s as %j are refused', async (who, bucket, contentType, status) => {
    const body = Buffer.concat([mp3], 60 * MB)
    for (const file of [body, new Blob([body], { type: contentType }), stream(60 * MB)]) {
      const { error } = await as(who).from(bucket).upload('long.mp3', file, { contentType })
      expect(error).toMatchObject({ status })
    }
    expect(await storage.storedKeys()).toEqual([])
  })

  it('a client that goes away in the middle leaves nothing', async () => {
    for (const [head, sent] of [
      [`content-type: audio/mpeg\r\ncontent-length: ${9 * MB}`, mp3],
      [
        `content-type: audio/mpeg\r\ntransfer-encoding: chunked`,
        Buffer.concat([Buffer.from('100000\r\n'), mp3], MB + 8),
      ],
      [
        `content-type: multipart/form-data; boundary=x\r\ncontent-length: ${9 * MB}`,
        Buffer.concat([
          Buffer.from(
            '--x\r\ncontent-disposition: form-data; name=""; filename="a"\r\ncontent-type: audio/mpeg\r\n\r\n',
          ),
          mp3,
          Buffer.alloc(2 * MB),
        ]),
      ],
    ] as const) {
      const socket = connect(port, '127.0.0.1')
      const headers = Object.entries(headersOf('admin')).map(([name, value]) => `${name}: ${value}`)
      socket.write(
        `POST /storage/v1/object/audio/cut.mp3 HTTP/1.1\r\nhost: x\r\n${headers.join('\r\n')}\r\n${head}\r\n\r\n`,
      )
      socket.write(sent)
      await sleep(300)
      socket.destroy()
      await settled()
      expect((await as('admin').from('audio').exists('cut.mp3')).data).toBe(false)
    }
  })

  it('goes on serving others afterwards', async () => {
    expect(
      (await as('admin').from('images').upload('after.png', png, { contentType: 'image/png' })).error,
    ).toBeNull()
    expect((await as('admin').from('images').remove(['after.png'])).data).toHaveLength(1)
  })

  /** Waits until the server has noticed, and nothing is left. */
  async function settled(): Promise<void> {
    for (let attempt = 0; attempt < 50; attempt++) {
      if ((await storage.storedKeys()).length === 0) return
      await sleep(100)
    }
    throw new Error(`left behind: ${await storage.storedKeys()}`)
  }
})

/** A recording of any length, made while it is sent. `onQuarter` is called four times on the way. */
function stream(size: number, onQuarter: () => void = () => undefined): ReadableStream<Uint8Array> {
  const chunk = new Uint8Array(64 * 1024)
  let sent = 0
  let quarters = 0
  return new ReadableStream({
    pull(controller) {
      const piece = sent === 0 ? Buffer.concat([mp3], chunk.length) : chunk
      controller.enqueue(piece.subarray(0, size - sent))
      sent += piece.length
      if (sent >= (size / 4) * (quarters + 1)) onQuarter()
      quarters = Math.floor((sent / size) * 4)
      if (sent >= size) controller.close()
    },
  })
}

/**
 * How many bytes more were held at once than at the start, by both ends together. Garbage is not held, so it is
 * collected before each look.
 */
function watchMemory(): { look(): void; growth(): number } {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const held = () => {
    // The first round finds them, the second has given them back.
    collect()
    collect()
    return process.memoryUsage().arrayBuffers
  }
  const start = held()
  let highest = start
  return {
    look() {
      highest = Math.max(highest, held())
    },
    growth: () => highest - start,
  }
}
