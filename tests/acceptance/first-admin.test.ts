import { afterEach, describe, expect, it } from 'vitest'
import { ensureAdmin } from '#server/backend/first-admin.ts'
import type { Database } from '#server/database/port.ts'
import { freshEmail, goodPassword, openAuth } from '#tests/support/auth.ts'
import { openTestDatabase } from '#tests/support/databases.ts'

const byDefault = { email: 'admin@localhost.example', password: undefined }

describe('the admin of the configuration', () => {
  let db: Database
  afterEach(() => db.close())

  const roleOf = async (email: string) => {
    const sql = 'select role from public.users where email = $1'
    return (await db.asOwner('test', (tx) => tx.query<{ role: string }>(sql, [email]))).rows[0]?.role
  }
  const signIn = async (email: string, password: string) =>
    (await (await openAuth(db)).client().signInWithPassword({ email, password })).error

  it('is made with a password that is told once', async () => {
    db = await openTestDatabase()
    const made = await ensureAdmin(db, byDefault)
    expect(made).toMatchObject({ email: byDefault.email, madePassword: expect.stringMatching(/^[\w-]{16}$/) })
    expect(await signIn(byDefault.email, made?.madePassword ?? '')).toBeNull()
    expect(await roleOf(byDefault.email)).toBe('admin')
    expect(await ensureAdmin(db, byDefault)).toBeUndefined()
  })

  it('is made with the password that is given, which is not told', async () => {
    db = await openTestDatabase()
    const email = freshEmail()
    expect(await ensureAdmin(db, { email, password: goodPassword })).toEqual({
      email,
      madePassword: undefined,
    })
    expect(await signIn(email, goodPassword)).toBeNull()
  })

  it('may be an account that is there, which keeps its password', async () => {
    db = await openTestDatabase()
    const email = freshEmail()
    await (await openAuth(db, { settings: { autoconfirm: true } }))
      .client()
      .signUp({ email, password: goodPassword })
    expect(await ensureAdmin(db, { email: email.toUpperCase(), password: 'something else' })).toBeUndefined()
    expect(await roleOf(email)).toBe('admin')
    expect(await signIn(email, goodPassword)).toBeNull()
  })

  it('does not trust the password of a sign-up that nobody has confirmed', async () => {
    db = await openTestDatabase()
    const email = freshEmail()
    await (await openAuth(db)).client().signUp({ email, password: 'of an intruder' })
    expect(await ensureAdmin(db, { email, password: goodPassword })).toEqual({
      email,
      madePassword: undefined,
    })
    expect(await signIn(email, goodPassword)).toBeNull()
    expect((await signIn(email, 'of an intruder'))?.code).toBe('invalid_credentials')
  })

  it('does not trust a sign-up that nobody had to confirm, until it is the admin', async () => {
    db = await openTestDatabase()
    const email = freshEmail()
    const easy = await openAuth(db, { settings: { autoconfirm: true } })
    await easy.client().signUp({ email, password: 'of an intruder' })
    const wanted = { email, password: goodPassword, autoconfirm: true }
    expect(await ensureAdmin(db, wanted)).toEqual({ email, madePassword: undefined })
    expect((await signIn(email, 'of an intruder'))?.code).toBe('invalid_credentials')
    expect(await signIn(email, goodPassword)).toBeNull()
    expect(await ensureAdmin(db, { ...wanted, password: 'another password' })).toBeUndefined()
    expect(await signIn(email, goodPassword)).toBeNull()
  })

  it('does not come back once its owner has another admin and has removed it', async () => {
    db = await openTestDatabase()
    await ensureAdmin(db, { email: freshEmail(), password: goodPassword })
    expect(await ensureAdmin(db, byDefault)).toBeUndefined()
    expect(await roleOf(byDefault.email)).toBeUndefined()
  })

  it('is made once by processes that start together', async () => {
    db = await openTestDatabase()
    const made = await Promise.all([
      ensureAdmin(db, byDefault),
      ensureAdmin(db, byDefault),
      ensureAdmin(db, byDefault),
    ])
    expect(made.filter(Boolean)).toHaveLength(1)
  })
})
