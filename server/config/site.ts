import { join, resolve } from 'node:path'
import { z } from 'zod'
import { parseEncryptionKey } from '#server/tokens/encryption.ts'
import {
  boolean,
  type Env,
  email,
  exclusive,
  httpAddress,
  listOf,
  matching,
  oneOf,
  wholeNumber,
} from './env.ts'

/** Where the service listens, what it is called, where it keeps things, and who owns it. */
export const siteVariables = {
  PORT: wholeNumber({ to: 65_535 }).default(3000),
  HOST: matching(/^[\w.:-]+$/, 'must be a host name or an IP address').default('127.0.0.1'),
  SITE_URL: httpAddress.optional(),
  WORKERS: wholeNumber({ from: 1, to: 64 }).default(1),
  HSTS_SUBDOMAINS: boolean.default(false),
  METRICS_PORT: wholeNumber({ from: 1, to: 65_535 }).optional(),
  TRUST_PROXY: wholeNumber({ to: 10 }).default(0),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: matching(/^postgres(ql)?:\/\/.+/, 'must start with postgres:// or postgresql://').optional(),
  STORAGE_URL: matching(/^(file:|s3:\/\/).+/, 'must start with file: or s3://').optional(),
  SUPABASE_URL: httpAddress.optional(),
  // The second form is that of projects from before 2025: a JWT.
  SUPABASE_PUBLISHABLE_KEY: matching(
    /^(sb_publishable_|eyJ)\S+$/,
    'must be a publishable key (sb_publishable_…)',
  ).optional(),
  SUPABASE_SECRET_KEY: matching(/^(sb_secret_|eyJ)\S+$/, 'must be a secret key (sb_secret_…)').optional(),
  ENCRYPTION_KEY: z
    .string()
    .transform((text) => parseEncryptionKey(text))
    .refine(
      (key) => key !== undefined,
      'must be 32 bytes in base64 or hex (openssl rand -base64 32 makes one)',
    )
    .optional(),
  ADMIN_EMAIL: email.default('admin@localhost.example'),
  ADMIN_PASSWORD: z
    .string()
    .min(8, 'must have 8 characters at least')
    .refine((text) => Buffer.byteLength(text) <= 72, 'must have 72 bytes at most')
    .optional(),
  ADMIN_REQUIRE_MFA: oneOf(['off', 'enrolled', 'always']).default('enrolled'),
  STARTER_CONTENT: boolean.default(true),
  EARLY_ACCESS: boolean.default(true),
  SMTP_URL: matching(/^smtps?:\/\/.+/, 'must start with smtp:// or smtps://').optional(),
  CONTACT_EMAIL: email.default('hello@example.org'),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
}

const SiteEnvironment = z.object(siteVariables)
type SiteEnvironment = z.infer<typeof SiteEnvironment>

/** Our own PostgreSQL, which keeps all it needs in `folder`; or a server by its address. */
export type DatabaseConfig = { kind: 'embedded'; folder: string } | { kind: 'postgres'; url: string }

/** What is right by itself but cannot be meant together. */
export function siteContradictions(given: Env): string[] {
  const keys = ['SUPABASE_PUBLISHABLE_KEY', 'SUPABASE_SECRET_KEY']
  const missing = given.SUPABASE_URL ? keys.filter((name) => !(name in given)) : []
  const same = given.SUPABASE_SECRET_KEY && given.SUPABASE_SECRET_KEY === given.SUPABASE_PUBLISHABLE_KEY
  return [
    ...missing.map((name) => `${name} is missing: SUPABASE_URL needs both keys of its project`),
    ...(same
      ? ['SUPABASE_SECRET_KEY is the same as SUPABASE_PUBLISHABLE_KEY: the secret one opens everything']
      : []),
    ...exclusive(given, ['SUPABASE_URL', 'DATABASE_URL'], 'a hosted project brings its own database'),
    ...exclusive(given, ['SUPABASE_URL', 'STORAGE_URL'], 'a hosted project brings its own storage'),
  ]
}

/** Set in hosted mode only: the project that answers instead of our own servers. */
const hostedProject = ({ SUPABASE_URL: url, SUPABASE_PUBLISHABLE_KEY: publishableKey }: SiteEnvironment) =>
  url && publishableKey ? { url, publishableKey } : undefined

export function siteConfig(env: SiteEnvironment) {
  const dataDir = resolve(env.DATA_DIR)
  const database: DatabaseConfig = env.DATABASE_URL
    ? { kind: 'postgres', url: env.DATABASE_URL }
    : { kind: 'embedded', folder: join(dataDir, 'postgres') }
  return {
    listen: { port: env.PORT, host: env.HOST },
    /** How many processes share that port. */
    workers: env.WORKERS,
    /** A port of 127.0.0.1 for Prometheus; undefined: nothing is measured. */
    metricsPort: env.METRICS_PORT,
    /** How many proxies of our own stand in front: only what they write into X-Forwarded-For is believed. */
    trustedProxies: env.TRUST_PROXY,
    /** Whether browsers shall insist on https for every name below the site's too. */
    hstsSubdomains: env.HSTS_SUBDOMAINS,
    siteUrl: env.SITE_URL ?? `http://localhost:${env.PORT}`,
    dataDir,
    database,
    storageUrl: env.STORAGE_URL ?? `file:${join(dataDir, 'files')}`,
    hosted: hostedProject(env),
    keys: { publishable: env.SUPABASE_PUBLISHABLE_KEY, secret: env.SUPABASE_SECRET_KEY },
    /** 32 bytes; undefined: the key in the data folder. */
    encryptionKey: env.ENCRYPTION_KEY,
    admin: { email: env.ADMIN_EMAIL, password: env.ADMIN_PASSWORD, requireMfa: env.ADMIN_REQUIRE_MFA },
    starterContent: env.STARTER_CONTENT,
    earlyAccess: env.EARLY_ACCESS,
    smtpUrl: env.SMTP_URL,
    contactEmail: env.CONTACT_EMAIL,
    logLevel: env.LOG_LEVEL,
  }
}

/** Nightly backups: where they go, how many stay, and when they are made. */
export const backupVariables = {
  BACKUP_DIR: z.string().optional(),
  BACKUP_KEEP: wholeNumber({ from: 1, to: 1000 }).default(7),
  BACKUP_AT: matching(/^(off|([01]\d|2[0-3]):[0-5]\d)$/, 'must be a time like 03:30, or off').default(
    '03:30',
  ),
}

const BackupEnvironment = z.object(backupVariables)

interface BackupConfig {
  /** A folder, or `s3://bucket/path?endpoint=…&region=…`. */
  dir: string
  /** How many verified ones stay. */
  keep: number
  /** In the server's own time zone; undefined: never. */
  at: { hour: number; minute: number } | undefined
}

export function backupConfig(env: z.infer<typeof BackupEnvironment>, dataDir: string): BackupConfig {
  const [hour, minute] = env.BACKUP_AT.split(':').map(Number)
  return {
    dir: env.BACKUP_DIR ?? join(dataDir, 'backups'),
    keep: env.BACKUP_KEEP,
    at: hour === undefined || minute === undefined ? undefined : { hour, minute },
  }
}

/**
 * Schemas that must never be exposed. PostgreSQL's own hold functions such as set_config, with which a caller could
 * leave the role that policies judge by; the others hold what policies and accounts rely on.
 */
const EXPOSABLE =
  /^(?!(pg_.*|information_schema|auth|private|platform|extensions|supabase_migrations)$)[a-z_][a-z0-9_]*$/

/** What /rest/v1 shows of the database. */
export const restVariables = {
  REST_SCHEMAS: listOf(
    EXPOSABLE,
    'must name schemas of your own in lower case; those of the system are never exposed',
  ).default(['public']),
  REST_MAX_ROWS: wholeNumber({ from: 1 }).default(1000),
  REST_AGGREGATES: boolean.default(false),
  REST_PLANS: boolean.default(false),
}

const RestEnvironment = z.object(restVariables)
type RestEnvironment = z.infer<typeof RestEnvironment>

export const restConfig = (env: RestEnvironment) => ({
  schemas: env.REST_SCHEMAS,
  maxRows: env.REST_MAX_ROWS,
  aggregates: env.REST_AGGREGATES,
  plans: env.REST_PLANS,
})
