import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from './config.ts'
import { SetupError } from './env.ts'

/** Text that must never turn up in a message. */
const SECRET = 'hunter2'

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
const hosted = {
  SUPABASE_URL: 'https://project.supabase.co',
  SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_a',
  SUPABASE_SECRET_KEY: 'sb_secret_a',
}

describe('settings that belong together', () => {
  it('make hosted mode', () => {
    expect(config(hosted)).toMatchObject({
      hosted: { url: 'https://project.supabase.co', publishableKey: 'sb_publishable_a' },
    })
  })

  it('make Twilio the sender of text messages', () => {
    const env = {
      AUTH_TWILIO_ACCOUNT_SID: 'AC1',
      AUTH_TWILIO_AUTH_TOKEN: SECRET,
      AUTH_TWILIO_MESSAGE_SERVICE_SID: 'MG1',
    }
    expect(config(env).auth.sms.sender).toEqual({
      kind: 'twilio',
      accountSid: 'AC1',
      authToken: SECRET,
      from: 'MG1',
    })
  })

  it('make a captcha', () => {
    const env = {
      AUTH_CAPTCHA_PROVIDER: 'turnstile',
      AUTH_CAPTCHA_SECRET: SECRET,
      AUTH_CAPTCHA_SITEKEY: '1x',
    }
    expect(config(env).auth.captcha).toEqual({ provider: 'turnstile', secret: SECRET, siteKey: '1x' })
  })

  it('make providers, well-known ones and others by their issuer', () => {
    const env = {
      AUTH_GOOGLE_CLIENT_ID: 'g',
      AUTH_GOOGLE_SECRET: SECRET,
      AUTH_LINKEDIN_OIDC_CLIENT_ID: 'l',
      AUTH_LINKEDIN_OIDC_SECRET: SECRET,
      AUTH_LINKEDIN_OIDC_URL: 'https://www.linkedin.com/oauth/',
    }
    expect([...config(env).auth.providers]).toEqual([
      ['google', { clientId: 'g', secret: SECRET, url: undefined }],
      ['linkedin_oidc', { clientId: 'l', secret: SECRET, url: 'https://www.linkedin.com/oauth/' }],
    ])
  })

  it.each<[what: string, env: Record<string, string>, problems: string[]]>([
    [
      'a hosted project without its keys',
      { SUPABASE_URL: 'https://p.co', SUPABASE_SECRET_KEY: `sb_secret_${SECRET}` },
      ['SUPABASE_PUBLISHABLE_KEY is missing: SUPABASE_URL needs both keys of its project'],
    ],
    [
      'a hosted project beside a database and files of our own',
      { ...hosted, DATABASE_URL: `postgres://u:${SECRET}@h/d`, STORAGE_URL: 'file:x' },
      [
        'SUPABASE_URL and DATABASE_URL exclude each other: a hosted project brings its own database',
        'SUPABASE_URL and STORAGE_URL exclude each other: a hosted project brings its own storage',
      ],
    ],
    [
      'one key for both purposes',
      { SUPABASE_PUBLISHABLE_KEY: `eyJ${SECRET}`, SUPABASE_SECRET_KEY: `eyJ${SECRET}` },
      ['SUPABASE_SECRET_KEY is the same as SUPABASE_PUBLISHABLE_KEY: the secret one opens everything'],
    ],
    [
      'half of Twilio',
      { AUTH_TWILIO_AUTH_TOKEN: SECRET },
      [
        'AUTH_TWILIO_ACCOUNT_SID is missing: it belongs to AUTH_TWILIO_AUTH_TOKEN',
        'AUTH_TWILIO_MESSAGE_SERVICE_SID is missing: it belongs to AUTH_TWILIO_AUTH_TOKEN',
      ],
    ],
    [
      'two senders of text messages',
      {
        AUTH_SMS_HOOK_URL: 'https://a.org',
        AUTH_TWILIO_ACCOUNT_SID: 'AC1',
        AUTH_TWILIO_AUTH_TOKEN: SECRET,
        AUTH_TWILIO_MESSAGE_SERVICE_SID: '+15005550006',
      },
      ['AUTH_SMS_HOOK_URL and AUTH_TWILIO_ACCOUNT_SID exclude each other: a message is sent once'],
    ],
    [
      'a secret of a hook that is not there',
      { AUTH_SMS_HOOK_SECRET: `v1,whsec_${Buffer.alloc(32, SECRET).toString('base64')}` },
      ['AUTH_SMS_HOOK_URL is missing: it belongs to AUTH_SMS_HOOK_SECRET'],
    ],
    [
      'a captcha without its key for the page',
      { AUTH_CAPTCHA_PROVIDER: 'hcaptcha', AUTH_CAPTCHA_SECRET: SECRET },
      ['AUTH_CAPTCHA_SITEKEY is missing: it belongs to AUTH_CAPTCHA_PROVIDER, AUTH_CAPTCHA_SECRET'],
    ],
    [
      'a provider that nobody knows, without its issuer',
      { AUTH_KEYCLOAK_CLIENT_ID: 'k', AUTH_KEYCLOAK_SECRET: SECRET },
      ['AUTH_KEYCLOAK_URL is missing: it belongs to AUTH_KEYCLOAK_CLIENT_ID, AUTH_KEYCLOAK_SECRET'],
    ],
    [
      'a provider with a bad issuer and no secret',
      { AUTH_AZURE_CLIENT_ID: 'a', AUTH_AZURE_URL: SECRET },
      [
        'AUTH_AZURE_SECRET is missing: it belongs to AUTH_AZURE_CLIENT_ID, AUTH_AZURE_URL',
        'AUTH_AZURE_URL must be an https:// address (http:// only on this machine)',
      ],
    ],
    [
      'a provider whose secrets would travel in the open',
      { AUTH_SCHOOL_CLIENT_ID: 's', AUTH_SCHOOL_SECRET: SECRET, AUTH_SCHOOL_URL: 'http://school.example/' },
      ['AUTH_SCHOOL_URL must be an https:// address (http:// only on this machine)'],
    ],
    [
      'a provider that would pass for a way in of our own',
      { AUTH_PHONE_CLIENT_ID: 'p', AUTH_PHONE_SECRET: SECRET, AUTH_PHONE_URL: 'https://p.example' },
      ['AUTH_PHONE_CLIENT_ID names no provider: phone is a way in of our own'],
    ],
  ])('are refused where they contradict: %s', (_what, env, problems) => {
    expect(problemsOf(env)).toEqual(problems)
  })
})

describe('a name that is no setting', () => {
  it.each([
    ['AUTH_AUTOCONFRIM', 'AUTH_AUTOCONFRIM is not a setting; probably AUTH_AUTOCONFIRM was meant'],
    ['AUTH_EMAIL_INTERVALL', 'AUTH_EMAIL_INTERVALL is not a setting; probably AUTH_EMAIL_INTERVAL was meant'],
    ['REST_MAXROWS', 'REST_MAXROWS is not a setting; probably REST_MAX_ROWS was meant'],
    [
      'AUTH_CAPTCHA_SITE_KEY',
      'AUTH_CAPTCHA_SITE_KEY is not a setting; probably AUTH_CAPTCHA_SITEKEY was meant',
    ],
    ['AUTH_TWILIO_SECRET', 'AUTH_TWILIO_SECRET is not a setting'],
    ['AUTH_SOMETHING_ELSE_ENTIRELY', 'AUTH_SOMETHING_ELSE_ENTIRELY is not a setting'],
    ['REST_', 'REST_ is not a setting'],
  ])('%s is reported', (name, problem) => {
    expect(problemsOf({ [name]: SECRET })).toEqual([problem])
  })
})

describe('the message', () => {
  const wrong = {
    PORT: 'x',
    ADMIN_PASSWORD: SECRET,
    DATABASE_URL: `mysql://${SECRET}`,
    SUPABASE_URL: 'https://p.co',
    AUTH_TWILIO_AUTH_TOKEN: SECRET,
    AUTH_GITHUB_SECRET: SECRET,
    AUTH_AUTOCONFRIM: SECRET,
    REST_PLANS: SECRET,
  }

  it('lists every problem at once, of whatever kind', () => {
    const names = [
      'PORT',
      'ADMIN_PASSWORD',
      'DATABASE_URL',
      'SUPABASE_URL',
      'AUTH_TWILIO',
      'AUTH_GITHUB',
      'AUTH_AUTOCONFRIM',
      'REST_PLANS',
    ]
    const problems = problemsOf(wrong)
    for (const name of names) expect(problems).toContainEqual(expect.stringContaining(name))
  })

  it('says what to mend, and repeats no value, which may be secret', () => {
    const error = new ConfigError(problemsOf(wrong))
    expect(error).toBeInstanceOf(SetupError)
    expect(error.name).toBe('ConfigError')
    expect(error.message).toMatch(
      /^These settings need attention:\n {2}PORT must be a whole number from 0 to 65535\n/,
    )
    expect(error.message).not.toContain(SECRET)
  })
})
