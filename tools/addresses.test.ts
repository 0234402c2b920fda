import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import routes from '#app/routes.ts'

const root = join(import.meta.dirname, '..')

/** The first step of each address: "resources" of "resources/:category?". */
const steps = routes.flatMap(({ path }) => path?.split('/')[0]?.replaceAll('.', String.raw`\.`) ?? [])
const address = new RegExp(
  String.raw`(?<!href\()['"\`]/(${steps.filter((step) => step !== '*').join('|')})(?=[/?#'"\`$])`,
)
/** Home has no first step, and a lone slash is not always an address. */
const home = /(?:\b(?:to|href|fallback|leaveTo|path)=|\b(?:navigate|redirect|absolute|assign)\()['"]\/['"]/

// The service worker has no router in it; its addresses are compared with what it is asked for.
const isExempt = (file: string) => /\.test\.tsx?$|^app\/(routes\.ts$|worker\/)/.test(file)

it('addresses of pages are written with href(), which the routes give its types', async () => {
  const found: string[] = []
  for await (const file of glob('app/**/*.{ts,tsx}', { cwd: root })) {
    if (isExempt(file)) continue
    const lines = readFileSync(join(root, file), 'utf8').split('\n')
    for (const [index, line] of lines.entries())
      if (address.test(line) || home.test(line)) found.push(`${file}:${index + 1} ${line.trim()}`)
  }
  expect(found).toEqual([])
})

it.each(["<Link to='/about'>", '`/resources?q=teens`', 'to="/"', "redirect('/login?next=x')"])(
  '%s is found',
  (line) => {
    expect(address.test(line) || home.test(line)).toBe(true)
  },
)
