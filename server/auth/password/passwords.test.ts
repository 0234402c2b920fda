import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest'
import { FULL_COST } from '#tests/support/quick-bcrypt.ts'
import { isPasswordHash, weaknessOf } from './passwords.ts'

const lower = 'abcdefghijklmnopqrstuvwxyz'
const digits = '0123456789'

test.each([
  ['longenough1', undefined],
  ['short1', ['length']],
  ['longenough', ['characters']],
  ['SHORT', ['length', 'characters']],
  ['🦊🦊🦊🦊🦊🦊a1', undefined],
  ['password1', ['pwned']],
  ['PASSWORD1', ['characters', 'pwned']],
])('the weakness of %j is %j', async (password, reasons) => {
  const rules = { minLength: 8, mustContain: [lower, digits], refuseLeaked: true }
  expect((await weaknessOf(password, rules))?.reasons).toEqual(reasons)
})

it('a leaked password passes where the owner does not mind', async () => {
  const rules = { minLength: 8, mustContain: [], refuseLeaked: false }
  expect(await weaknessOf('password1', rules)).toBeUndefined()
})

describe('a password', () => {
  let hashPassword: typeof import('./passwords.ts').hashPassword
  let isPasswordOf: typeof import('./passwords.ts').isPasswordOf
  beforeAll(async () => {
    vi.stubEnv(FULL_COST, 'true')
    vi.resetModules()
    ;({ hashPassword, isPasswordOf } = await import('./passwords.ts'))
  })
  afterAll(() => {
    vi.unstubAllEnvs()
    vi.resetModules()
  })

  it('is known again by its hash alone', async () => {
    const hash = await hashPassword('correct horse')
    expect(hash).toMatch(/^\$2b\$10\$/)
    expect(await isPasswordOf(hash, 'correct horse')).toBe(true)
    expect(await isPasswordOf(hash, 'Correct horse')).toBe(false)
  })

  it('never belongs to who has none, and that takes as long as a wrong one', async () => {
    const hash = await hashPassword('correct horse')
    const timed = async (of: string | null) => {
      const started = performance.now()
      for (let i = 0; i < 3; i++) expect(await isPasswordOf(of, 'wrong')).toBe(false)
      return performance.now() - started
    }
    await timed(null)
    const [nobody, somebody] = [await timed(null), await timed(hash)]
    expect(nobody / somebody).toBeGreaterThan(0.3)
    expect(nobody / somebody).toBeLessThan(3)
  })
})

test.each([
  [`$2b$10$${'a'.repeat(53)}`, true],
  [`$2b$32$${'a'.repeat(53)}`, false],
  ['$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHQ$c29tZWhhc2g', true],
  ['$argon2id$v=19$m=9999999,t=3,p=4$c29tZXNhbHQ$c29tZWhhc2g', false],
  ['plain text', false],
  ['', false],
])('isPasswordHash(%j) is %j', (text, expected) => {
  expect(isPasswordHash(text)).toBe(expected)
})
