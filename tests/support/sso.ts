import { type AuthServer, apiKeys } from './auth.ts'

/** A call of /admin/sso/providers with the secret key; auth-js has none. */
export async function adminCall(server: AuthServer, method: string, path: string, json?: object) {
  const answer = await server.request(`/admin/sso/providers${path}`, {
    method,
    ...(json && { json }),
    bearer: apiKeys.secret,
  })
  return { status: answer.status, body: await answer.json() }
}
