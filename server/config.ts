import { z } from 'zod'
import { authConfig, authVariables } from './config/auth.ts'
import { backupConfig, backupVariables } from './config/backup.ts'
import { captchaConfig, captchaContradictions, captchaVariables } from './config/captcha.ts'
import { type Given, givenIn } from './config/given.ts'
import { misspelt } from './config/misspelt.ts'
import { providerConfig, providerOf, providerProblems } from './config/providers.ts'
import { restConfig, restVariables } from './config/rest.ts'
import { SetupError } from './config/setup-error.ts'
import { siteConfig, siteContradictions, siteVariables } from './config/site.ts'
import { smsConfig, smsContradictions, smsVariables } from './config/sms.ts'

export type { DatabaseConfig } from './config/site.ts'

/** Every variable of the contract with a fixed name (docs/architecture.md names each). */
const Environment = z.object({
  ...siteVariables,
  ...backupVariables,
  ...authVariables,
  ...smsVariables,
  ...captchaVariables,
  ...restVariables,
})
type Environment = z.infer<typeof Environment>

const known = Object.keys(Environment.shape)
/** Words after AUTH_ that cannot be the name of a provider, so that AUTH_TWILIO_SECRET is seen as a slip. */
const taken = new Set(known.map((name) => /^AUTH_([A-Z]+)/.exec(name)?.[1]))

export type Config = ReturnType<typeof shape>

/** The environment is wrong: one line for each variable that must change. */
export class ConfigError extends SetupError {
  constructor(problems: readonly string[]) {
    super(`These settings need attention:\n${problems.map((line) => `  ${line}`).join('\n')}`)
  }
}

/** Reads and checks every variable once, at boot. Errors: ConfigError with all problems together. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = givenIn(env)
  const { providers, unknown } = sortNames(given)
  const parsed = Environment.safeParse(given)
  const problems = [
    ...(parsed.error?.issues ?? []).map((issue) => `${issue.path.join('.')} ${issue.message}`),
    ...siteContradictions(given),
    ...smsContradictions(given),
    ...captchaContradictions(given),
    ...providerProblems(given, providers),
    ...misspelt(unknown, known.filter(isOurs)),
  ]
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems)
  return shape(parsed.data, given, providers)
}

/** Only these two prefixes are looked through: the rest of the environment is not ours to judge. */
const isOurs = (name: string): boolean => /^(AUTH|REST)_/.test(name)

function sortNames(given: Given): { providers: string[]; unknown: string[] } {
  const free = Object.keys(given).filter((name) => isOurs(name) && !known.includes(name))
  const isProvider = (name: string) => {
    const provider = providerOf(name)
    return provider !== undefined && !taken.has(provider.split('_')[0])
  }
  return { providers: free.filter(isProvider), unknown: free.filter((name) => !isProvider(name)) }
}

const shape = (env: Environment, given: Given, providers: readonly string[]) => ({
  ...siteConfig(env),
  auth: {
    ...authConfig(env),
    sms: smsConfig(env),
    captcha: captchaConfig(env),
    providers: providerConfig(given, providers),
  },
  rest: restConfig(env),
  backup: backupConfig(env, siteConfig(env).dataDir),
})
