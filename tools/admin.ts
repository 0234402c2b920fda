// `npm run admin -- list | grant <email> | revoke <email>`: who may manage the library. Works while the service runs
// and while it is stopped, here and in a hosted project.

import { readConfig } from '#server/config/config.ts'
import { SetupError } from '#server/config/env.ts'
import { openRoster, runAdminCommand } from './admin/command.ts'

try {
  const roster = await openRoster(readConfig(process.env))
  const { lines, exitCode } = await runAdminCommand(roster, process.argv.slice(2)).finally(roster.close)
  console.log(lines.join('\n'))
  process.exitCode = exitCode
} catch (error) {
  console.error(error instanceof SetupError ? error.message : error)
  process.exitCode = 1
}
