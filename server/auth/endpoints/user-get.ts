import type { Endpoint } from '../context.ts'
import { renderUser } from '../users/user.ts'

/** GET /user: who the access token is about. */
export const getUser: Endpoint = async (c) => c.json(renderUser(c.var.member.user))
