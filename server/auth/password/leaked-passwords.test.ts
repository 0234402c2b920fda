import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { expect, it, test } from 'vitest'
import { isLeaked } from './passwords.ts'

const list = async () =>
  JSON.parse(
    await readFile(
      createRequire(import.meta.url).resolve('@zxcvbn-ts/language-common/src/passwords.json'),
      'utf8',
    ),
  ) as string[]

it('knows every password of the list that is long enough to be chosen', async () => {
  const long = (await list()).filter(({ length }) => length >= 8)
  expect(long.length).toBeGreaterThan(15_000)
  for (const password of long) if (!(await isLeaked(password))) expect.unreachable(password)
})

test.each(['password1', 'Password1', 'PASSWORD1', 'ｐａｓｓｗｏｒｄ１', 'qwertyuiop', 'trustno1'])(
  '%s is leaked',
  async (password) => {
    expect(await isLeaked(password)).toBe(true)
  },
)

test.each(['', 'correct-horse-9', 'password1 of mine', 'four calm words walking', '🦊'.repeat(9), '\0'])(
  '%j is not',
  async (password) => {
    expect(await isLeaked(password)).toBe(false)
  },
)

it('refuses nothing by chance', async () => {
  for (let i = 0; i < 20_000; i++) if (await isLeaked(`walking together ${i}`)) expect.unreachable(String(i))
})
