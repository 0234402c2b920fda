import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startReady } from '#tests/support/ready-folder.ts'
import type { ServerProcess } from '#tests/support/server-process.ts'

const root = join(import.meta.dirname, '../..')
const STARTS_WITHIN_MS = 120_000

let server: ServerProcess
beforeAll(async () => {
  const admin = { ADMIN_EMAIL: 'ada@example.org', ADMIN_PASSWORD: 'correct-horse-9' }
  server = await startReady({ env: { ...admin, STARTER_CONTENT: 'off' } })
}, STARTS_WITHIN_MS)
afterAll(() => server.remove())

/** The command as an owner types it, beside the service's own settings. */
const admin = (...words: string[]) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    const env = {
      PATH: process.env.PATH ?? '',
      PORT: new URL(server.url).port,
      DATA_DIR: server.dataDir,
      SUPABASE_PUBLISHABLE_KEY: server.keys.publishable,
      SUPABASE_SECRET_KEY: server.keys.secret,
    }
    execFile(process.execPath, ['tools/admin.ts', ...words], { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ code: error ? 1 : 0, output: `${stdout}${stderr}` }),
    )
  })

const call = (path: string, body: unknown, key: string) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { apikey: key, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

it(
  'the admin of the configuration can sign in, and the command works beside the running service',
  async () => {
    const { publishable, secret } = server.keys
    const credentials = { email: 'ada@example.org', password: 'correct-horse-9' }
    expect((await call('/auth/v1/token?grant_type=password', credentials, publishable)).status).toBe(200)
    expect(await admin('list')).toEqual({ code: 0, output: 'ada@example.org\n' })
    await call('/auth/v1/admin/users', { email: 'eve@example.org' }, secret)
    expect(await admin('grant', 'eve@example.org')).toEqual({
      code: 0,
      output: 'eve@example.org is an admin now.\n',
    })
    expect((await admin('list')).output).toBe('ada@example.org\neve@example.org\n')
  },
  STARTS_WITHIN_MS,
)

it(
  'the command works while the service is stopped, too',
  async () => {
    await server.stop()
    expect(await admin('revoke', 'ada@example.org')).toEqual({
      code: 0,
      output: 'ada@example.org is a member again.\n',
    })
    expect(await admin('revoke', 'eve@example.org')).toMatchObject({
      code: 1,
      output: expect.stringContaining('the only admin'),
    })
  },
  STARTS_WITHIN_MS,
)
