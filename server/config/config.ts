import { z } from 'zod'
import {
  authConfig,
  authVariables,
  captchaConfig,
  captchaContradictions,
  captchaVariables,
  providerConfig,
  providerOf,
  providerProblems,
} from './auth.ts'
import { type Env, readEnv, SetupError, unknownVariables } from './env.ts'
import {
  backupConfig,
  backupVariables,
  restConfig,
  restVariables,
  siteConfig,
  siteContradictions,
  siteVariables,
} from './site.ts'
import { smsConfig, smsContradictions, smsVariables } from './sms.ts'

export type { DatabaseConfig } from './site.ts'

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
  const given = readEnv(env)
  const { providers, unknown } = sortNames(given)
  const parsed = Environment.safeParse(given)
  const problems = [
    ...(parsed.error?.issues ?? []).map((issue) => `${issue.path.join('.')} ${issue.message}`),
    ...siteContradictions(given),
    ...smsContradictions(given),
    ...captchaContradictions(given),
    ...providerProblems(given, providers),
    ...unknownVariables(unknown, known.filter(isOurs)),
  ]
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems)
  return shape(parsed.data, given, providers)
}

/** Only these two prefixes are looked through: the rest of the environment is not ours to judge. */
const isOurs = (name: string): boolean => /^(AUTH|REST)_/.test(name)

function sortNames(given: Env): { providers: string[]; unknown: string[] } {
  const free = Object.keys(given).filter((name) => isOurs(name) && !known.includes(name))
  const isProvider = (name: string) => {
    const provider = providerOf(name)
    return provider !== undefined && !taken.has(provider.split('_')[0])
  }
  return { providers: free.filter(isProvider), unknown: free.filter((name) => !isProvider(name)) }
}

const shape = (env: Environment, given: Env, providers: readonly string[]) => ({
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
