import { afterEach, describe, expect, it } from 'vitest'
import { openTestDatabase } from '#tests/support/databases.ts'
import { type Roster, rosterOverDatabase, runAdminCommand } from './command.ts'

describe('npm run admin', () => {
  let roster: Roster
  afterEach(() => roster.close())

  const opened = async () => {
    const db = await openTestDatabase()
    await db.asOwner('test', (tx) =>
      tx.script(`
        insert into auth.users (id, email) values
          (gen_random_uuid(), 'ada@example.org'), (gen_random_uuid(), 'eve@example.org');
        update public.users set role = 'admin' where email = 'ada@example.org'`),
    )
    roster = rosterOverDatabase(db, () => db.close())
    return (line: string) => runAdminCommand(roster, line.split(' '))
  }

  it('lists, grants and revokes', async () => {
    const run = await opened()
    expect(await run('list')).toEqual({ lines: ['ada@example.org'], exitCode: 0 })
    expect(await run('grant Eve@Example.org')).toMatchObject({
      exitCode: 0,
      lines: ['eve@example.org is an admin now.'],
    })
    expect(await run('list')).toMatchObject({ lines: ['ada@example.org', 'eve@example.org'] })
    expect(await run('revoke ada@example.org')).toMatchObject({ exitCode: 0 })
    expect(await run('list')).toMatchObject({ lines: ['eve@example.org'] })
  })

  it('says what stands in the way', async () => {
    const run = await opened()
    expect(await run('grant nobody@example.org')).toMatchObject({
      exitCode: 1,
      lines: [expect.stringContaining('Nobody has an account')],
    })
    expect(await run('revoke ada@example.org')).toMatchObject({ exitCode: 1 })
    expect(await run('grant ada@example.org')).toMatchObject({
      exitCode: 0,
      lines: ['ada@example.org is an admin already.'],
    })
    expect(await run('revoke eve@example.org')).toMatchObject({
      exitCode: 0,
      lines: ['eve@example.org is no admin.'],
    })
    for (const line of ['', 'help', 'grant', 'grant a b', 'list x'])
      expect(await run(line)).toMatchObject({ exitCode: 1 })
  })
})
