import { join, resolve } from 'node:path'
import { z } from 'zod'
import { boolean, httpAddress, list, matching, wholeNumber } from './config/fields.ts'

/** Every variable of the contract (docs/architecture.md names each); an empty value counts as unset. */
const Environment = z.object({
  PORT: wholeNumber({ to: 65_535 }).default(3000),
  HOST: z.string().default('127.0.0.1'),
  SITE_URL: httpAddress.optional(),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: matching(/^postgres(ql)?:\/\/.+/, 'must start with postgres:// or postgresql://').optional(),
  STORAGE_URL: matching(/^(file:|s3:\/\/).+/, 'must start with file: or s3://').optional(),
  SUPABASE_URL: httpAddress.optional(),
  SUPABASE_PUBLISHABLE_KEY: matching(/^(sb_publishable_|eyJ)\S+$/, 'must be a publishable key (sb_publishable_…)').optional(),
  SUPABASE_SECRET_KEY: matching(/^(sb_secret_|eyJ)\S+$/, 'must be a secret key (sb_secret_…)').optional(),
  ADMIN_EMAIL: z.email('must be an e-mail address').default('admin@localhost.example'),
  ADMIN_PASSWORD: z.string().min(8, 'must have 8 characters at least').optional(),
  STARTER_CONTENT: boolean.default(true),
  EARLY_ACCESS: boolean.default(true),
  AUTH_DISABLE_SIGNUP: boolean.optional(),
  AUTH_AUTOCONFIRM: boolean.default(false),
  SMTP_URL: matching(/^smtps?:\/\/.+/, 'must start with smtp:// or smtps://').optional(),
  CONTACT_EMAIL: z.email('must be an e-mail address').default('hello@example.org'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  REST_SCHEMAS: list.default(['public']),
  REST_MAX_ROWS: wholeNumber({ from: 1 }).default(1000),
  REST_AGGREGATES: boolean.default(false),
  REST_PLANS: boolean.default(false),
})
type Environment = z.infer<typeof Environment>

export type DatabaseConfig = { kind: 'pglite'; folder: string } | { kind: 'postgres'; url: string }
export type Config = ReturnType<typeof shape>

/** The environment is wrong: one line for each variable that must change. */
export class ConfigError extends Error {
  constructor(problems: string[]) {
    super(`These settings need attention:\n${problems.map((line) => `  ${line}`).join('\n')}`)
    this.name = 'ConfigError'
  }
}

/** Reads and checks every variable once, at boot. Errors: ConfigError with all problems together. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = Environment.safeParse(given)
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`))
  }
  const problems = contradictions(parsed.data)
  if (problems.length > 0) throw new ConfigError(problems)
  return shape(parsed.data)
}

/** What is right by itself but cannot be meant together. */
function contradictions(env: Environment): string[] {
  const problems: string[] = []
  const keys = [env.SUPABASE_PUBLISHABLE_KEY, env.SUPABASE_SECRET_KEY]
  if (env.SUPABASE_URL && keys.includes(undefined)) {
    problems.push('SUPABASE_URL needs SUPABASE_PUBLISHABLE_KEY and SUPABASE_SECRET_KEY beside it')
  }
  if (env.SUPABASE_URL && env.DATABASE_URL) {
    problems.push('SUPABASE_URL and DATABASE_URL exclude each other: a hosted project brings its own database')
  }
  return problems
}

function shape(env: Environment) {
  const dataDir = resolve(env.DATA_DIR)
  const siteUrl = env.SITE_URL ?? `http://localhost:${env.PORT}`
  const database: DatabaseConfig = env.DATABASE_URL
    ? { kind: 'postgres', url: env.DATABASE_URL }
    : { kind: 'pglite', folder: join(dataDir, 'postgres') }
  return {
    listen: { port: env.PORT, host: env.HOST },
    siteUrl,
    dataDir,
    database,
    storageUrl: env.STORAGE_URL ?? `file:${join(dataDir, 'files')}`,
    /** Set in hosted mode only: the project that answers instead of our own servers. */
    hostedUrl: env.SUPABASE_URL,
    keys: { publishable: env.SUPABASE_PUBLISHABLE_KEY, secret: env.SUPABASE_SECRET_KEY },
    admin: { email: env.ADMIN_EMAIL, password: env.ADMIN_PASSWORD },
    starterContent: env.STARTER_CONTENT,
    earlyAccess: env.EARLY_ACCESS,
    auth: { disableSignup: env.AUTH_DISABLE_SIGNUP ?? env.EARLY_ACCESS, autoconfirm: env.AUTH_AUTOCONFIRM },
    smtpUrl: env.SMTP_URL,
    contactEmail: env.CONTACT_EMAIL,
    logLevel: env.LOG_LEVEL,
    rest: {
      schemas: env.REST_SCHEMAS,
      maxRows: env.REST_MAX_ROWS,
      aggregates: env.REST_AGGREGATES,
      plans: env.REST_PLANS,
    },
  }
}
