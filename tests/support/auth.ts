import { GoTrueAdminApi, GoTrueClient } from '@supabase/supabase-js'
import type { Hono } from 'hono'
import { pino } from 'pino'
import type { AuthDeps, AuthEnv, AuthSettings } from '#server/auth/context.ts'
import { createAuth } from '#server/auth/index.ts'
import type { Sms, SmsSender } from '#server/auth/sms.ts'
import type { Database } from '#server/database/port.ts'
import type { Email, Mailer } from '#server/mail/mailer.ts'
import { createAccessTokens } from '#server/tokens/access-tokens.ts'
import type { ApiKeys } from '#server/tokens/api-keys.ts'
import { createSealing } from '#server/tokens/encryption.ts'
import { openKeySet } from '#server/tokens/signing-keys.ts'
import { openOwnJobs } from './jobs.ts'

export const apiKeys = { publishable: 'sb_publishable_tests', secret: 'sb_secret_tests' }
/** What the tests' databases are sealed with. */
export const sealing = createSealing(Buffer.alloc(32, 'tests'))
export const siteUrl = 'http://site.example'
const issuer = `${siteUrl}/auth/v1`

/** What a test does not say, is so: open sign-up, confirmation by mail, and no pause between mails. */
const settings: AuthSettings = {
  issuer,
  siteUrl,
  redirectUrls: ['https://app.example/**'],
  disableSignup: false,
  autoconfirm: false,
  anonymous: false,
  manualLinking: true,
  providers: new Map(),
  saml: false,
  samlIdpInitiated: false,
  password: { minLength: 8, mustContain: [], refuseLeaked: true },
  reauthenticate: false,
  sessions: { timeBoxSeconds: undefined, inactivitySeconds: undefined },
  mailInterval: 0,
  mailsPerHour: 1000,
  smsPerHour: 1000,
  rateLimits: false,
  trustedProxies: 0,
  captcha: undefined,
  testOtps: new Map(),
}

/** The account service over a database, with everything that leaves it within reach. */
export interface AuthServer {
  app: Hono<AuthEnv>
  deps: AuthDeps
  mails: Email[]
  texts: Sms[]
  /** Lets time pass for the service. */
  advance(seconds: number): void
  /** The official client, with a memory of its own; `through` is for clients that keep cookies. */
  client(flowType?: 'implicit' | 'pkce', through?: typeof fetch): GoTrueClient
  admin: GoTrueAdminApi
  /** A bare request, `/signup` for example, with the publishable key unless told otherwise. */
  request(path: string, init?: RequestInit & { json?: unknown; bearer?: string }): Promise<Response>
  fetch: typeof fetch
}

interface Options {
  keys?: ApiKeys
  settings?: Partial<AuthSettings>
  mailer?: Mailer
  sms?: SmsSender
  lifetimeSeconds?: number
}

export async function openAuth(db: Database, options: Options = {}): Promise<AuthServer> {
  const { keys = apiKeys } = options
  let passed = 0
  const now = () => Date.now() + passed * 1000
  const keySet = await openKeySet(db, sealing)
  const mails: Email[] = []
  const texts: Sms[] = []
  const collect: Mailer = { sendEmail: async (email) => void mails.push(email) }
  const jobs = await openOwnJobs(db)
  const deps: AuthDeps = {
    db,
    jobs,
    keys,
    keySet,
    sealing,
    tokens: createAccessTokens(keySet, { issuer, lifetimeSeconds: options.lifetimeSeconds ?? 3600, now }),
    mailer: options.mailer ?? collect,
    sms: options.sms ?? { name: 'test', send: async (sms) => ({ messageId: String(texts.push(sms)) }) },
    settings: { ...settings, ...options.settings },
    log: pino({ level: 'silent' }),
    now,
  }
  const app = createAuth(deps)
  await jobs.start()
  const local: typeof fetch = async (input, init) => {
    const response = await app.request(String(input).replace(issuer, ''), init)
    // What the request has caused is in the mailbox before a test looks there.
    await jobs.settled()
    return response
  }
  return {
    app,
    deps,
    mails,
    texts,
    advance(seconds) {
      passed += seconds
    },
    client: (flowType = 'implicit', through = local) => officialClient(keys, through, flowType),
    admin: new GoTrueAdminApi({ url: issuer, headers: bearing(keys.secret), fetch: local }),
    request: (path, { json, bearer, headers, ...init } = {}) =>
      local(`${issuer}${path}`, {
        ...init,
        ...(json !== undefined && { method: init.method ?? 'POST', body: JSON.stringify(json) }),
        headers: {
          apikey: keys.publishable,
          ...(bearer && { authorization: `Bearer ${bearer}` }),
          ...(headers as Record<string, string>),
        },
      }),
    fetch: local,
  }
}

const bearing = (key: string) => ({ apikey: key, Authorization: `Bearer ${key}` })

function officialClient(keys: ApiKeys, local: typeof fetch, flowType: 'implicit' | 'pkce'): GoTrueClient {
  const memory = new Map<string, string>()
  return new GoTrueClient({
    url: issuer,
    headers: bearing(keys.publishable),
    fetch: local,
    flowType,
    experimental: { recoveryCodes: true },
    autoRefreshToken: false,
    detectSessionInUrl: false,
    persistSession: true,
    storage: {
      getItem: (key) => memory.get(key) ?? null,
      setItem: (key, value) => void memory.set(key, value),
      removeItem: (key) => void memory.delete(key),
    },
  })
}

/** The six digits of a mail. */
export const codeIn = (mail: Email | undefined): string =>
  /^(\d{6})$/m.exec(mail?.text ?? '')?.[1] ?? 'no code'

/** The address that a mail's button opens. */
export const linkIn = (mail: Email | undefined): URL =>
  new URL(/https?:\S+\/verify\?\S+/.exec(mail?.text ?? '')?.[0] ?? 'about:blank')

let people = 0
/** An address that nobody else has. */
export const freshEmail = (): string => `person-${Date.now()}-${people++}@example.org`
export const goodPassword = 'correct-horse-9'

/** A confirmed member with a session, by the service's own ways. */
export async function signUpMember(server: AuthServer, email = freshEmail()) {
  const { error } = await server.admin.createUser({ email, password: goodPassword, email_confirm: true })
  if (error) throw error
  const client = server.client()
  const { data } = await client.signInWithPassword({ email, password: goodPassword })
  if (!data.session) throw new Error('the member could not sign in')
  return { email, client, session: data.session, user: data.user }
}
