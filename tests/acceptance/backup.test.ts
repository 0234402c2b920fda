import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databaseUrl, onServer } from '#tests/support/databases.ts'
import { fileStores, type TestFiles } from '#tests/support/files.ts'
import { type Account, makeAccount, openSessionFor, serviceLibrary } from '#tests/support/members.ts'
import { runTool } from '#tests/support/run-tool.ts'
import { type ServerProcess, startServer } from '#tests/support/server-process.ts'
import { startSite } from '#tests/support/site-server.ts'

let folder: string
let bucket: TestFiles
const databases: string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'walking-together-backups-'))
  bucket = await fileStores[1][1]()
})
afterAll(async () => {
  await bucket?.remove()
  for (const name of databases) await onServer(`drop database if exists ${name} with (force)`)
  await rm(folder, { recursive: true, force: true })
})

async function emptyDatabase(): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await onServer(`create database ${name} template template0`)
  databases.push(name)
  return databaseUrl(name)
}

const newFolder = (name: string) => join(folder, `${name}-${randomUUID().slice(0, 8)}`)
const aws = () => ({
  AWS_ACCESS_KEY_ID: process.env.AWS_ACCESS_KEY_ID ?? '',
  AWS_SECRET_ACCESS_KEY: process.env.AWS_SECRET_ACCESS_KEY ?? '',
})
const sha256 = async (answer: Response) =>
  createHash('sha256')
    .update(new Uint8Array(await answer.arrayBuffer()))
    .digest('hex')
const pictures = async (site: ServerProcess) => {
  const { data } = await serviceLibrary(site)
    .from('resources')
    .select('image_url')
    .like('image_url', '/storage/%')
    .order('id')
  const found = (data ?? []).map(({ image_url }) => image_url as string)
  return Promise.all(found.map(async (path) => [path, await sha256(await fetch(site.url + path))]))
}
const refresh = (site: ServerProcess, token: string) =>
  fetch(`${site.url}/auth/v1/token?grant_type=refresh_token`, {
    method: 'POST',
    headers: { apikey: site.keys.publishable, 'content-type': 'application/json' },
    body: JSON.stringify({ refresh_token: token }),
  })
const titles = async (site: ServerProcess) =>
  (await serviceLibrary(site).from('resources').select('id,title').order('id')).data

describe('a library that moves', () => {
  let site: ServerProcess
  let member: Account
  let session: Awaited<ReturnType<typeof openSessionFor>>
  const archive = () => join(folder, 'from-embedded.tar')

  beforeAll(async () => {
    site = await startServer()
    member = await makeAccount(site, 'member')
    session = await openSessionFor(site, member)
  })
  afterAll(() => site?.remove())

  it('is backed up while it is served, and the archive is nobody else’s to read', async () => {
    const { code, said } = await runTool('backup', ['--to', archive()], { DATA_DIR: site.dataDir })
    expect([code, said]).toEqual([0, expect.stringContaining('rows of public.resources')])
    expect((await stat(archive())).mode & 0o777).toBe(0o600)
    const again = await runTool('backup', ['--to', archive()], { DATA_DIR: site.dataDir })
    expect(again).toMatchObject({ code: 1, said: expect.stringContaining('is there already') })
  }, 60_000)

  it('serves the same from DATABASE_URL and S3, and again from a folder, with its passwords and sessions', async () => {
    const before = { pictures: await pictures(site), titles: await titles(site) }
    expect(before.pictures.length).toBeGreaterThan(5)
    const moved = { DATABASE_URL: await emptyDatabase(), STORAGE_URL: bucket.url, ...aws() }
    const dataDir = newFolder('moved')
    const restored = await runTool('restore', [archive()], { ...moved, DATA_DIR: dataDir })
    expect([restored.code, restored.said]).toEqual([0, expect.stringContaining('Restored as of')])

    // Under its old name, as a site that moves has.
    const there = await startServer({ dataDir, env: { ...moved, SITE_URL: site.url } })
    const next = `${bucket.url.replace('/stored', '/backups/second.tar')}`
    try {
      expect({ pictures: await pictures(there), titles: await titles(there) }).toEqual(before)
      expect((await openSessionFor(there, member))?.user.id).toBe(member.id)
      expect((await refresh(there, session?.refresh_token ?? '')).status).toBe(200)
      // Tokens that the old place has signed still open doors.
      const asMember = { apikey: there.keys.publishable, authorization: `Bearer ${session?.access_token}` }
      const own = await fetch(`${there.url}/rest/v1/users?select=id`, { headers: asMember })
      expect([own.status, await own.json()]).toEqual([200, [{ id: member.id }]])
      const backup = await runTool('backup', ['--to', next], { ...moved, DATA_DIR: dataDir })
      expect([backup.code, backup.said]).toEqual([
        0,
        expect.stringContaining('s3://files/backups/second.tar'),
      ])
    } finally {
      await there.stop()
    }

    const home = newFolder('home')
    const returned = await runTool('restore', [next], { DATA_DIR: home, ...aws() })
    expect([returned.code, returned.said]).toEqual([0, expect.stringContaining('Restored as of')])
    const back = await startServer({ dataDir: home })
    try {
      expect({ pictures: await pictures(back), titles: await titles(back) }).toEqual(before)
      expect((await openSessionFor(back, member))?.user.id).toBe(member.id)
    } finally {
      await back.stop()
    }
  }, 180_000)

  it('is verified by restoring it and rendering pages', async () => {
    const { code, said } = await runTool('backup', ['--verify', archive()], {
      DATA_DIR: newFolder('nowhere'),
    })
    expect([code, said]).toEqual([0, expect.stringContaining('was restored and is well')])
    for (const what of ['home', 'listing', 'article', 'picture'])
      expect(said).toContain(`rendered: ${what} (`)
    expect((await readdir(tmpdir())).filter((name) => name.startsWith('walking-together-verify-'))).toEqual(
      [],
    )
  }, 120_000)

  it('does not verify when a single bit was flipped, and nothing is restored from it', async () => {
    const altered = join(folder, 'altered.tar')
    await copyFile(archive(), altered)
    const file = await open(altered, 'r+')
    const middle = Math.floor((await file.stat()).size / 2)
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, middle)
    await file.write(Buffer.from([(buffer[0] ?? 0) ^ 1]), 0, 1, middle)
    await file.close()
    const why = 'cannot be restored. It is cut off or has been altered'
    const verified = await runTool('backup', ['--verify', altered], {})
    expect(verified).toMatchObject({ code: 1, said: expect.stringContaining(why) })
    const url = await emptyDatabase()
    const dataDir = newFolder('untouched')
    const restored = await runTool('restore', [altered], { DATABASE_URL: url, DATA_DIR: dataDir })
    expect(restored).toMatchObject({ code: 1, said: expect.stringContaining(why) })
    await expect(readdir(dataDir)).rejects.toThrow('ENOENT')
  }, 60_000)

  it('is not restored over a service that runs, nor over one that is stopped unless forced', async () => {
    const running = await runTool('restore', [archive()], { DATA_DIR: site.dataDir })
    expect(running).toMatchObject({
      code: 1,
      said: expect.stringContaining('Another Walking Together process is using'),
    })
    await site.stop()
    const env = { DATA_DIR: site.dataDir }
    const refused = await runTool('restore', [archive()], env)
    expect(refused).toMatchObject({
      code: 1,
      said: expect.stringContaining('The database holds data already. Nothing was changed.'),
    })
    const forced = await runTool('restore', [archive(), '--force'], env)
    expect([forced.code, forced.said]).toEqual([0, expect.stringContaining('What was there is in')])
    const made = await readdir(join(site.dataDir, 'backups'))
    expect(made).toEqual([expect.stringMatching(/^walking-together-before-restore-\d{8}T\d{6}Z\.tar$/)])
  }, 120_000)
})

describe('the nightly backup', () => {
  it('makes one, verifies it, keeps as many as it should and nothing of others’, and tells the dashboard', async () => {
    const site = await startSite()
    try {
      const dir = newFolder('nightly')
      await mkdir(dir)
      const strangers = [
        'walking-together-20200101T000000Z.tar',
        'holiday.tar',
        'walking-together-manual-20200101T000000Z.tar',
      ]
      for (const name of strangers) await writeFile(join(dir, name), 'none of ours')
      const { dataDir, databaseUrl: url } = site
      const env = { DATA_DIR: dataDir, DATABASE_URL: url, BACKUP_DIR: dir, BACKUP_KEEP: '1' }
      for (let night = 0; night < 2; night++) {
        const { code, said } = await runTool('backup', ['--nightly'], env)
        expect([code, said]).toEqual([0, expect.stringContaining(': verified')])
      }
      const names = await readdir(dir)
      expect(names.filter((name) => !strangers.includes(name))).toHaveLength(1)
      expect(names).toEqual(expect.arrayContaining(strangers))

      const failed = await runTool('backup', ['--nightly'], { ...env, BACKUP_DIR: join(dir, 'holiday.tar') })
      expect(failed).toMatchObject({
        code: 1,
        said: expect.stringContaining('The backup could not be written to'),
      })
      const { data } = await serviceLibrary(site)
        .from('backup_runs')
        .select('outcome,resources,missing_files')
        .order('started_at')
      const well = { outcome: 'verified', resources: expect.any(Number), missing_files: 0 }
      expect(data).toEqual([well, well, { outcome: 'failed', resources: null, missing_files: null }])
    } finally {
      await site.remove()
    }
  }, 180_000)

  it.skipIf(process.getuid?.() !== 0)(
    'fails with a message on a full disk, and leaves no half file',
    async () => {
      const small = newFolder('small')
      await mkdir(small)
      await promisify(execFile)('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', small])
      const site = await startSite()
      try {
        const env = { DATA_DIR: site.dataDir, DATABASE_URL: site.databaseUrl }
        const { code, said } = await runTool('backup', ['--to', join(small, 'a.tar')], env)
        expect([code, said]).toEqual([1, expect.stringContaining('there is no room left')])
        expect(await readdir(small)).toEqual([])
      } finally {
        await site.remove()
        await promisify(execFile)('umount', [small])
      }
    },
    60_000,
  )
})

describe('the commands', () => {
  it('say how they are used, and what they cannot do', async () => {
    expect(await runTool('backup', ['--everything'], {})).toMatchObject({
      code: 1,
      said: expect.stringContaining('npm run backup'),
    })
    expect(await runTool('restore', [], {})).toMatchObject({
      code: 1,
      said: expect.stringContaining('npm run restore -- FILE'),
    })
    expect(await runTool('migrate', ['--up'], {})).toMatchObject({
      code: 1,
      said: expect.stringContaining('--status'),
    })
    const hosted = {
      SUPABASE_URL: 'https://p.supabase.co',
      SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_a',
      SUPABASE_SECRET_KEY: 'sb_secret_a',
    }
    expect(await runTool('backup', [], hosted)).toMatchObject({
      code: 1,
      said: expect.stringContaining('Supabase makes the backups'),
    })
    expect(await runTool('migrate', [], hosted)).toMatchObject({
      code: 1,
      said: expect.stringContaining('supabase db push'),
    })
    const missing = await runTool('restore', [join(folder, 'missing.tar')], {
      DATABASE_URL: await emptyDatabase(),
      DATA_DIR: newFolder('x'),
    })
    expect(missing).toMatchObject({ code: 1, said: expect.stringContaining('cannot be read: ENOENT') })
  }, 60_000)

  it('show which migrations wait, and apply them', async () => {
    const env = { DATABASE_URL: await emptyDatabase(), DATA_DIR: newFolder('migrated') }
    const before = await runTool('migrate', ['--status'], env)
    expect(before).toMatchObject({ code: 1, said: expect.stringMatching(/^waiting {2}0001_roles$/m) })
    const applied = await runTool('migrate', [], env)
    expect(applied).toMatchObject({ code: 0, said: expect.stringMatching(/^Applied: 0001_roles, /) })
    const after = await runTool('migrate', ['--status'], env)
    expect(after).toMatchObject({ code: 0, said: expect.not.stringContaining('waiting') })
  }, 60_000)
})
