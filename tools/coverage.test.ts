import { readdir, readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

const root = new URL('../', import.meta.url)
const folders = ['app', 'domain', 'server', 'tests', 'tools']

it('docs/coverage.md names tests that are there', async () => {
  const files = (
    await Promise.all(folders.map((folder) => readdir(new URL(folder, root), { recursive: true })))
  ).flatMap((names, at) => names.map((name) => `${folders[at]}/${name}`))
  const page = await readFile(new URL('docs/coverage.md', root), 'utf8')
  const proofs = page.split('\n').flatMap((line) => line.match(/^\| .*\| (.*) \|$/)?.[1] ?? [])
  const named = proofs.flatMap((proof) =>
    [...proof.matchAll(/`([a-z][\w./-]+)`/g)].map(([, name = '']) => name),
  )
  // `e2e/login` is tests/e2e/login.spec.ts; a file beside its code is named by its end.
  const isThere = (name: string) =>
    ['', '.test.ts', '.spec.ts'].some((end) => files.some((file) => `/${file}`.endsWith(`/${name}${end}`)))
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter((name) => !isThere(name))).toEqual([])
})

it('decisions have a number each', async () => {
  const numbers = (await readdir(new URL('docs/decisions', root))).map((name) => name.slice(0, 4))
  expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([])
})
