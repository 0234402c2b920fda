import type { Endpoint } from '../context.ts'
import { depart } from '../providers/depart.ts'

/** GET /authorize: off to a provider, to sign in there. */
export const authorize: Endpoint = (c) => depart(c)
