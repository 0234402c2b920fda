import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ApiKeysDamaged, loadApiKeys } from './api-keys.ts'

const program = `
  const { loadApiKeys } = await import(${JSON.stringify(join(import.meta.dirname, 'api-keys.ts'))})
  process.stdout.write(JSON.stringify(await loadApiKeys(process.argv[1], {})))
`

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'walking-together-keys-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const loadInAnotherProcess = (): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    child.stdout.on('data', (text) => {
      said += text
    })
    child.once('error', reject)
    child.once('close', () => resolve(said))
  })

describe('the API keys', () => {
  it('are made once, and are the same at the next start', async () => {
    const keys = await loadApiKeys(folder, {})
    expect(keys).toEqual({
      publishable: expect.stringMatching(/^sb_publishable_[\w-]{32}$/),
      secret: expect.stringMatching(/^sb_secret_[\w-]{32}$/),
    })
    expect(await loadApiKeys(folder, {})).toEqual(keys)
  })

  it('differ between installations', async () => {
    const keys = await loadApiKeys(join(folder, 'one'), {})
    const others = await loadApiKeys(join(folder, 'two'), {})
    expect(keys.secret).not.toBe(others.secret)
    expect(keys.publishable).not.toBe(others.publishable)
  })

  it('are kept in a file that only its owner can read, with nothing beside it', async () => {
    await loadApiKeys(join(folder, 'data'), {})
    const { mode } = await stat(join(folder, 'data', 'api-keys.json'))
    expect((mode & 0o777).toString(8)).toBe('600')
    expect(await readdir(join(folder, 'data'))).toEqual(['api-keys.json'])
  })

  it('agree between many that start at once, in this process and in others', async () => {
    const here = Array.from({ length: 20 }, async () => JSON.stringify(await loadApiKeys(folder, {})))
    const all = await Promise.all([...here, ...Array.from({ length: 4 }, loadInAnotherProcess)])
    expect(new Set(all).size).toBe(1)
    expect(JSON.parse(await readFile(join(folder, 'api-keys.json'), 'utf8'))).toEqual(
      JSON.parse(String(all[0])),
    )
    expect(await readdir(folder)).toEqual(['api-keys.json'])
  })

  it('given in the environment come first, and both together need no file', async () => {
    const given = { publishable: 'sb_publishable_given', secret: 'sb_secret_given' }
    expect(await loadApiKeys(folder, given)).toEqual(given)
    expect(await readdir(folder)).toEqual([])
    const stored = await loadApiKeys(folder, {})
    expect(await loadApiKeys(folder, { secret: given.secret })).toEqual({ ...stored, secret: given.secret })
    expect(await loadApiKeys(folder, { publishable: given.publishable })).toEqual({
      ...stored,
      publishable: given.publishable,
    })
  })

  it.each(['', '{', '{}', '[]', '{"publishable": "sb_secret_x", "secret": "hunter2"}'])(
    'in a damaged file (%j) stop the start, and are not shown',
    async (content) => {
      await writeFile(join(folder, 'api-keys.json'), content)
      const loading = loadApiKeys(folder, {})
      await expect(loading).rejects.toBeInstanceOf(ApiKeysDamaged)
      await expect(loading).rejects.toThrow(`${join(folder, 'api-keys.json')} is damaged`)
      await expect(loading).rejects.not.toThrow('hunter2')
      expect(await readFile(join(folder, 'api-keys.json'), 'utf8')).toBe(content)
    },
  )
})
