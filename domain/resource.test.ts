import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { summaryColumns } from './resource.ts'

const migration = readFileSync(
  new URL('../supabase/migrations/20261120000100_resources.sql', import.meta.url),
  'utf8',
)
const [, table = ''] = /create table if not exists public\.resources \(\n(.*?)\n\);/s.exec(migration) ?? []
const columnNames = table
  .split('\n')
  .filter((line) => !line.includes('generated always'))
  .map((line) => line.trim().split(' ')[0]?.replaceAll('"', ''))

it('lists every column of the table but the body of the article', () => {
  expect(columnNames).toContain('article_content')
  expect(summaryColumns.split(',').sort()).toEqual(
    columnNames.filter((name) => name !== 'article_content').sort(),
  )
})
