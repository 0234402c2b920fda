import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { authVariables, captchaVariables } from './auth.ts'
import { backupVariables, restVariables, siteVariables } from './site.ts'
import { smsVariables } from './sms.ts'

const known = Object.keys({
  ...siteVariables,
  ...authVariables,
  ...backupVariables,
  ...captchaVariables,
  ...restVariables,
  ...smsVariables,
})

it('the README names every variable, and none that is not there', async () => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8')
  const firstCells = readme
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|')[1] ?? '')
  const named = firstCells.flatMap((cell) => [...cell.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name]) => name))
  // How to use a provider is written with a placeholder.
  expect(named.filter((name) => !name?.startsWith('_')).sort()).toEqual(known.sort())
})
