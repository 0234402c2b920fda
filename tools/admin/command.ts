import type { Roster } from './roster.ts'

interface Outcome {
  lines: string[]
  exitCode: number
}

const usage = [
  'npm run admin -- list             who is admin',
  'npm run admin -- grant <email>    makes a member an admin',
  'npm run admin -- revoke <email>   makes an admin a member again',
]

const said = (...lines: string[]): Outcome => ({ lines, exitCode: 0 })
const failed = (...lines: string[]): Outcome => ({ lines, exitCode: 1 })

/** Does what the words on the command line say, and tells what came of it. */
export async function runAdminCommand(roster: Roster, words: readonly string[]): Promise<Outcome> {
  const [command, address = '', ...more] = words
  if (command === 'list' && !address) return list(roster)
  if ((command !== 'grant' && command !== 'revoke') || !address || more.length > 0) return failed(...usage)
  const email = address.toLowerCase()
  const role = await roster.roleOf(email)
  if (role === undefined) return failed(`Nobody has an account with the address ${email}.`)
  return command === 'grant' ? grant(roster, email, role) : revoke(roster, email, role)
}

async function list(roster: Roster): Promise<Outcome> {
  const admins = await roster.admins()
  return said(
    ...(admins.length > 0 ? admins : ['There is no admin. Make one: npm run admin -- grant <email>']),
  )
}

async function grant(roster: Roster, email: string, role: string): Promise<Outcome> {
  if (role === 'admin') return said(`${email} is an admin already.`)
  await roster.setRole(email, 'admin')
  return said(`${email} is an admin now.`)
}

async function revoke(roster: Roster, email: string, role: string): Promise<Outcome> {
  if (role !== 'admin') return said(`${email} is no admin.`)
  if ((await roster.admins()).length === 1) {
    return failed(`${email} is the only admin. Grant somebody else first, or nobody can manage the library.`)
  }
  await roster.setRole(email, 'member')
  return said(`${email} is a member again.`)
}
