import { z } from 'zod'
import { allOrNone, type Env, exclusive, httpAddress, matching } from './env.ts'

const testCode = /^\+?(\d{7,15})=(\d{6,10})$/

/** As Supabase writes it; standard webhooks want 24 to 64 bytes. */
function isHookSecret(text: string): boolean {
  const encoded = /^v1,whsec_([A-Za-z\d+/]+={0,2})$/.exec(text)?.[1]
  const bytes = Buffer.from(encoded ?? '', 'base64')
  return bytes.toString('base64') === encoded && bytes.length >= 24 && bytes.length <= 64
}

/** How text messages are sent. */
export const smsVariables = {
  AUTH_SMS_TEST_OTP: z
    .string()
    .transform((text) => text.split(',').map((entry) => testCode.exec(entry.trim())))
    .refine(
      (codes) => codes.every(Boolean),
      'must have the form phone=code,phone=code with codes of 6 to 10 digits',
    )
    .transform((codes) => new Map(codes.map((code) => [String(code?.[1]), String(code?.[2])])))
    .default(new Map<string, string>()),
  AUTH_SMS_HOOK_URL: httpAddress.optional(),
  AUTH_SMS_HOOK_SECRET: z
    .string()
    .refine(
      (text) => text.split('|').every(isHookSecret),
      'must be v1,whsec_ and 24 to 64 bytes in base64, several with | between them',
    )
    .transform((text) => text.split('|').map((secret) => secret.slice('v1,'.length)))
    .optional(),
  AUTH_TWILIO_ACCOUNT_SID: matching(/^AC\w+$/, 'must start with AC').optional(),
  AUTH_TWILIO_AUTH_TOKEN: z.string().optional(),
  AUTH_TWILIO_MESSAGE_SERVICE_SID: matching(
    /^(MG\w+|\+\d{7,15})$/,
    'must start with MG, or be a phone number with its +',
  ).optional(),
}

const SmsEnvironment = z.object(smsVariables)
type SmsEnvironment = z.infer<typeof SmsEnvironment>

/** Who delivers a text message. The outbox is a folder of files, for development and tests. */
export type SmsSender =
  | { kind: 'outbox' }
  | { kind: 'hook'; url: string; secrets: readonly string[] }
  | { kind: 'twilio'; accountSid: string; authToken: string; from: string }

export const smsContradictions = (given: Env): string[] => [
  ...allOrNone(
    given,
    Object.keys(smsVariables).filter((name) => name.startsWith('AUTH_TWILIO_')),
  ),
  ...('AUTH_SMS_HOOK_SECRET' in given && !('AUTH_SMS_HOOK_URL' in given)
    ? ['AUTH_SMS_HOOK_URL is missing: it belongs to AUTH_SMS_HOOK_SECRET']
    : []),
  ...exclusive(given, ['AUTH_SMS_HOOK_URL', 'AUTH_TWILIO_ACCOUNT_SID'], 'a message is sent once'),
]

export const smsConfig = (env: SmsEnvironment) => ({
  /** Codes by phone number, digits only: these are always the same, and never sent. */
  testOtps: env.AUTH_SMS_TEST_OTP as ReadonlyMap<string, string>,
  sender: smsSender(env),
})

function smsSender(env: SmsEnvironment): SmsSender {
  const { AUTH_SMS_HOOK_URL: url, AUTH_SMS_HOOK_SECRET: secrets = [] } = env
  if (url) return { kind: 'hook', url, secrets }
  const { AUTH_TWILIO_ACCOUNT_SID: accountSid, AUTH_TWILIO_AUTH_TOKEN: authToken } = env
  const from = env.AUTH_TWILIO_MESSAGE_SERVICE_SID
  return accountSid && authToken && from
    ? { kind: 'twilio', accountSid, authToken, from }
    : { kind: 'outbox' }
}
