import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

/** Text that must never turn up in a message. */
const SECRET = 'hunter2'

const good = Buffer.alloc(32, SECRET).toString('base64')

const problemsOf = (env: Record<string, string>): string[] => {
  try {
    readConfig(env)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as Error).message.split('\n  ').slice(1)
  }
  return []
}

const config = (env: Record<string, string>) => readConfig(env)
const _hosted = {
  SUPABASE_URL: 'https://project.supabase.co',
  SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_a',
  SUPABASE_SECRET_KEY: 'sb_secret_a',
}

describe('without any variable', () => {
  it('everything has the default of the contract', () => {
    const dataDir = resolve('.data')
    expect(readConfig({})).toEqual({
      backup: { dir: join(dataDir, 'backups'), keep: 7, at: { hour: 3, minute: 30 } },
      listen: { port: 3000, host: '127.0.0.1' },
      workers: 1,
      trustedProxies: 0,
      hstsSubdomains: false,
      siteUrl: 'http://localhost:3000',
      dataDir,
      database: { kind: 'embedded', folder: join(dataDir, 'postgres') },
      storageUrl: `file:${join(dataDir, 'files')}`,
      hosted: undefined,
      keys: { publishable: undefined, secret: undefined },
      encryptionKey: undefined,
      admin: { email: 'admin@localhost.example', password: undefined, requireMfa: 'enrolled' },
      starterContent: true,
      earlyAccess: true,
      smtpUrl: undefined,
      contactEmail: 'hello@example.org',
      logLevel: 'info',
      auth: {
        disableSignup: true,
        autoconfirm: false,
        redirectUrls: [],
        jwtExpirySeconds: 3600,
        emailIntervalSeconds: 60,
        emailsPerHour: 300,
        smsPerHour: 60,
        rateLimits: true,
        password: { minLength: 8, mustContain: [], refuseLeaked: true },
        reauthenticate: false,
        sessions: { timeBoxSeconds: undefined, inactivitySeconds: undefined },
        signingKeysFile: undefined,
        anonymous: false,
        manualLinking: true,
        saml: false,
        samlIdpInitiated: false,
        sms: { testOtps: new Map(), sender: { kind: 'outbox' } },
        captcha: undefined,
        providers: new Map(),
      },
      rest: { schemas: ['public'], maxRows: 1000, aggregates: false, plans: false },
    })
  })

  it('an empty value counts as unset, and the rest of the environment is ignored', () => {
    const blank = {
      PORT: '',
      DATABASE_URL: '',
      AUTH_DISABLE_SIGNUP: '',
      AUTH_UNKNOWN: '',
      PATH: '/bin',
      REST: 'x',
    }
    expect(readConfig(blank)).toEqual(readConfig({}))
  })
})

describe('a variable', () => {
  it.each<[name: string, given: string, read: (c: ReturnType<typeof readConfig>) => unknown, value: unknown]>(
    [
      ['PORT', '8080', (c) => [c.listen.port, c.siteUrl], [8080, 'http://localhost:8080']],
      ['PORT', '0', (c) => c.listen.port, 0],
      ['HOST', '0.0.0.0', (c) => c.listen.host, '0.0.0.0'],
      ['HOST', '::1', (c) => c.listen.host, '::1'],
      ['SITE_URL', 'https://example.org/', (c) => c.siteUrl, 'https://example.org'],
      ['DATA_DIR', '/srv/data', (c) => c.database, { kind: 'embedded', folder: '/srv/data/postgres' }],
      ['WORKERS', '1', (c) => c.workers, 1],
      ['TRUST_PROXY', '1', (c) => c.trustedProxies, 1],
      ['DATA_DIR', 'here', (c) => c.dataDir, resolve('here')],
      [
        'DATABASE_URL',
        'postgres://u:p@h/d',
        (c) => c.database,
        { kind: 'postgres', url: 'postgres://u:p@h/d' },
      ],
      ['DATABASE_URL', 'postgresql://h/d', (c) => c.database.kind, 'postgres'],
      ['STORAGE_URL', 's3://bucket?region=x', (c) => c.storageUrl, 's3://bucket?region=x'],
      ['SUPABASE_PUBLISHABLE_KEY', 'sb_publishable_a', (c) => c.keys.publishable, 'sb_publishable_a'],
      ['SUPABASE_SECRET_KEY', 'eyJhbGciOi.x.y', (c) => c.keys.secret, 'eyJhbGciOi.x.y'],
      ['ADMIN_EMAIL', 'me@example.org', (c) => c.admin.email, 'me@example.org'],
      ['ADMIN_PASSWORD', 'long enough', (c) => c.admin.password, 'long enough'],
      ['ADMIN_REQUIRE_MFA', 'always', (c) => c.admin.requireMfa, 'always'],
      ['STARTER_CONTENT', 'off', (c) => c.starterContent, false],
      ['EARLY_ACCESS', 'No', (c) => [c.earlyAccess, c.auth.disableSignup], [false, false]],
      ['SMTP_URL', 'smtps://u:p@mail', (c) => c.smtpUrl, 'smtps://u:p@mail'],
      ['CONTACT_EMAIL', 'us@example.org', (c) => c.contactEmail, 'us@example.org'],
      ['LOG_LEVEL', 'silent', (c) => c.logLevel, 'silent'],
      ['AUTH_DISABLE_SIGNUP', 'false', (c) => [c.earlyAccess, c.auth.disableSignup], [true, false]],
      ['AUTH_AUTOCONFIRM', 'TRUE', (c) => c.auth.autoconfirm, true],
      [
        'AUTH_REDIRECT_URLS',
        'https://a.org/**, app://back ,',
        (c) => c.auth.redirectUrls,
        ['https://a.org/**', 'app://back'],
      ],
      ['AUTH_JWT_EXPIRY', '600', (c) => c.auth.jwtExpirySeconds, 600],
      ['AUTH_EMAIL_INTERVAL', '0', (c) => c.auth.emailIntervalSeconds, 0],
      ['AUTH_RATE_LIMITS', 'off', (c) => c.auth.rateLimits, false],
      ['AUTH_PASSWORD_REQUIREMENTS', 'letters_digits', (c) => c.auth.password.mustContain.length, 2],
      [
        'AUTH_PASSWORD_REQUIREMENTS',
        'lower_upper_letters_digits_symbols',
        (c) => c.auth.password.mustContain.length,
        4,
      ],
      ['AUTH_REAUTHENTICATION', 'on', (c) => c.auth.reauthenticate, true],
      ['AUTH_SESSION_TIMEBOX', '86400', (c) => c.auth.sessions.timeBoxSeconds, 86_400],
      ['AUTH_SESSION_INACTIVITY', '600', (c) => c.auth.sessions.inactivitySeconds, 600],
      ['AUTH_SIGNING_KEYS', '/srv/keys.json', (c) => c.auth.signingKeysFile, '/srv/keys.json'],
      ['AUTH_ANONYMOUS', '1', (c) => c.auth.anonymous, true],
      ['AUTH_MANUAL_LINKING', '0', (c) => c.auth.manualLinking, false],
      ['AUTH_SAML', 'on', (c) => c.auth.saml, true],
      [
        'AUTH_SMS_TEST_OTP',
        '+491701234567=123456, 4152127777=654321',
        (c) => [...c.auth.sms.testOtps],
        [
          ['491701234567', '123456'],
          ['4152127777', '654321'],
        ],
      ],
      [
        'AUTH_SMS_HOOK_URL',
        'https://sms.example/send',
        (c) => c.auth.sms.sender,
        { kind: 'hook', url: 'https://sms.example/send', secrets: [] },
      ],
      ['REST_SCHEMAS', 'public, library', (c) => c.rest.schemas, ['public', 'library']],
      ['REST_MAX_ROWS', '50', (c) => c.rest.maxRows, 50],
      ['REST_AGGREGATES', 'on', (c) => c.rest.aggregates, true],
      ['REST_PLANS', 'yes', (c) => c.rest.plans, true],
    ],
  )('%s=%s is read', (name, given, read, value) => {
    expect(read(config({ [name]: given }))).toEqual(value)
  })

  it.each<[name: string, given: string, complaint: string]>([
    ['PORT', '65536', 'must be at most 65535'],
    ['PORT', '-1', 'must be a whole number from 0 to 65535'],
    ['PORT', '80.5', 'must be a whole number from 0 to 65535'],
    ['HOST', 'two words', 'must be a host name or an IP address'],
    ['SITE_URL', 'example.org', 'must be an http:// or https:// address'],
    ['SITE_URL', 'javascript:alert(1)', 'must be an http:// or https:// address'],
    ['DATABASE_URL', `mysql://u:${SECRET}@h`, 'must start with postgres:// or postgresql://'],
    ['STORAGE_URL', '/srv/files', 'must start with file: or s3://'],
    ['SUPABASE_URL', 'project', 'must be an http:// or https:// address'],
    ['SUPABASE_PUBLISHABLE_KEY', `sb_secret_${SECRET}`, 'must be a publishable key (sb_publishable_…)'],
    ['SUPABASE_SECRET_KEY', SECRET, 'must be a secret key (sb_secret_…)'],
    ['ENCRYPTION_KEY', SECRET, 'must be 32 bytes in base64 or hex (openssl rand -base64 32 makes one)'],
    ['ADMIN_EMAIL', 'admin', 'must be an e-mail address'],
    ['ADMIN_PASSWORD', SECRET, 'must have 8 characters at least'],
    ['ADMIN_REQUIRE_MFA', 'sometimes', 'must be one of off, enrolled, always'],
    ['STARTER_CONTENT', 'maybe', 'must be on or off'],
    ['EARLY_ACCESS', '2', 'must be on or off'],
    ['SMTP_URL', `https://u:${SECRET}@mail`, 'must start with smtp:// or smtps://'],
    ['CONTACT_EMAIL', 'us', 'must be an e-mail address'],
    ['LOG_LEVEL', 'loud', 'must be one of fatal, error, warn, info, debug, trace, silent'],
    ['AUTH_DISABLE_SIGNUP', 'x', 'must be on or off'],
    ['AUTH_AUTOCONFIRM', 'x', 'must be on or off'],
    [
      'AUTH_REDIRECT_URLS',
      '*',
      'must list addresses such as https://example.org/** with commas between them',
    ],
    ['AUTH_JWT_EXPIRY', '0', 'must be at least 1'],
    ['AUTH_JWT_EXPIRY', '604801', 'must be at most 604800'],
    ['AUTH_EMAIL_INTERVAL', '1m', 'must be a whole number from 0 to 86400'],
    ['AUTH_RATE_LIMITS', 'x', 'must be on or off'],
    [
      'AUTH_PASSWORD_REQUIREMENTS',
      'strong',
      'must be one of letters_digits, lower_upper_letters_digits, lower_upper_letters_digits_symbols',
    ],
    ['TRUST_PROXY', 'yes', 'must be a whole number from 0 to 10'],
    ['AUTH_PASSWORD_LEAK_CHECK', 'x', 'must be on or off'],
    ['AUTH_REAUTHENTICATION', 'x', 'must be on or off'],
    ['AUTH_SESSION_TIMEBOX', '0', 'must be at least 1'],
    ['AUTH_SESSION_INACTIVITY', '1h', 'must be a whole number from 1 to 999999999'],
    ['AUTH_ANONYMOUS', 'x', 'must be on or off'],
    ['AUTH_MANUAL_LINKING', 'x', 'must be on or off'],
    [
      'AUTH_SMS_TEST_OTP',
      '4152127777=12345',
      'must have the form phone=code,phone=code with codes of 6 to 10 digits',
    ],
    ['AUTH_SMS_HOOK_URL', 'x', 'must be an http:// or https:// address'],
    ...[SECRET, `whsec_${good}`, `v1,${good}`, `v1,whsec_${SECRET}`, `v1,whsec_${good}|`].map(
      (secret): [string, string, string] => [
        'AUTH_SMS_HOOK_SECRET',
        secret,
        'must be v1,whsec_ and 24 to 64 bytes in base64, several with | between them',
      ],
    ),
    [
      'REST_SCHEMAS',
      ',',
      'must name schemas of your own in lower case; those of the system are never exposed',
    ],
    [
      'REST_SCHEMAS',
      'public,pg_catalog',
      'must name schemas of your own in lower case; those of the system are never exposed',
    ],
    [
      'REST_SCHEMAS',
      'information_schema',
      'must name schemas of your own in lower case; those of the system are never exposed',
    ],
    [
      'REST_SCHEMAS',
      'auth',
      'must name schemas of your own in lower case; those of the system are never exposed',
    ],
    ['BACKUP_AT', '24:00', 'must be a time like 03:30, or off'],
    ['BACKUP_AT', 'nightly', 'must be a time like 03:30, or off'],
    ['BACKUP_KEEP', '0', 'must be at least 1'],
    ['REST_MAX_ROWS', '0', 'must be at least 1'],
    ['REST_AGGREGATES', 'x', 'must be on or off'],
    ['REST_PLANS', 'x', 'must be on or off'],
  ])('%s=%s is refused', (name, given, complaint) => {
    expect(problemsOf({ [name]: given })).toContain(`${name} ${complaint}`)
  })
})
