import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { App, getStorageSchemaSql } from '@supabase/lite'
import { createPgliteConnection } from '@supabase/lite/pglite'

const root = join(import.meta.dirname, '../..')
/** As in a hosted project. */
const openHelpers = `
  grant usage on schema auth, storage to anon, authenticated, service_role;
  grant execute on all functions in schema auth, storage to anon, authenticated, service_role;
`
/** It knows no second factors: whoever asks whether an account has one finds none. Functions that nobody calls here may name more. */
const noSecondFactors = `
  create table auth.mfa_factors (user_id uuid not null, status text not null);
  set check_function_bodies = off;
`
const keys = { publishable: 'sb_publishable_lite', secret: 'sb_secret_lite' }

/**
 * @supabase/lite, an implementation of the protocols that is not ours, on a free port of 127.0.0.1 and with our schema in
 * it. What a hosted project has and it has not is brought along: the API's roles and their way to auth.uid(), the extension pg_trgm, and its own
 * tables for storage, which it makes only as an experiment.
 */
export async function startSupabaseLite() {
  // Its own copy of PGlite wants its own copy of the extension.
  const here = createRequire(import.meta.resolve('@supabase/lite/pglite'))
  const { pg_trgm } = await import(here.resolve('@electric-sql/pglite/contrib/pg_trgm'))
  const connection = await createPgliteConnection({ pgliteOptions: { extensions: { pg_trgm } } })
  const run = async (file: string) => connection.driver.exec(await readFile(join(root, file), 'utf8'))
  await run('server/database/bootstrap/0001_roles.sql')
  const auth = {
    enabled: true,
    publishable_key: keys.publishable,
    secret_key: keys.secret,
    jwt_secret: 'known-to-these-tests-and-to-nobody-else',
    enable_signup: true,
    email: { enable_confirmations: false },
  }
  const app = new App({ connection, auth })
  await app.init()
  await app.ensureSystemSchema()
  await connection.driver.exec(getStorageSchemaSql())
  await connection.driver.exec(noSecondFactors)
  await connection.driver.exec(openHelpers)
  for (const name of (await readdir(join(root, 'supabase/migrations'))).sort()) {
    await run(`supabase/migrations/${name}`)
  }
  await connection.clearSchemaCache()

  const server = createServer(getRequestListener((request) => app.fetch(request)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    keys,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await connection.close()
    },
  }
}
