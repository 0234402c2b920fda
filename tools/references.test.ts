import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))
const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
const files = listed.split('\n').filter(Boolean)

const COMMENT = /^\s*(?:\/\/|\/?\*)(.*)$/gm
const PATH = /(?<![\w/.*$}-])((?:[\w-]+\/)*[\w.-]+\.(?:tsx?|mjs|md|sql|css))(?![\w*])/g

const references = (text: string) => [...text.matchAll(PATH)].map(([, path = '']) => path)
const isThere = (path: string) => files.some((file) => `/${file}`.endsWith(`/${path.replace(/^\.\//, '')}`))

it('comments point at files that exist', () => {
  const dangling = files
    .filter((file) => /^(app|bench|domain|server|tests|tools)\/.*\.(tsx?|mjs)$/.test(file))
    .flatMap((file) => {
      const comments = [...readFileSync(root + file, 'utf8').matchAll(COMMENT)].map(([, text = '']) => text)
      return comments
        .flatMap(references)
        .filter((path) => !isThere(path))
        .map((path) => `${file}: ${path}`)
    })
  expect(dangling).toEqual([])
})

it('the documents about the code point at files that exist', () => {
  const pages = [
    'docs/architecture.md',
    'docs/performance.md',
    'docs/deployment.md',
    'docs/monitoring.md',
    'README.md',
  ]
  const dangling = pages.flatMap((page) =>
    [...readFileSync(root + page, 'utf8').matchAll(/`([^`\n]+)`/g)]
      .flatMap(([, code = '']) => references(code))
      .filter((path) => !isThere(path))
      .map((path) => `${page}: ${path}`),
  )
  expect(dangling).toEqual([])
})
