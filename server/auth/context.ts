import type { Context } from 'hono'
import type { Services } from './services.ts'
import type { SessionRow } from './sessions/repository.ts'
import type { UserRow } from './users/rows.ts'

/** Somebody signed in: the account and the session that the access token names. */
export interface Member {
  user: UserRow
  session: SessionRow
}

/** What handlers find in the context. `member` only behind `requireMember`. */
export interface AuthEnv {
  Variables: { services: Services; member: Member }
}

export type AuthContext = Context<AuthEnv>
export type Endpoint = (c: AuthContext) => Promise<Response>
