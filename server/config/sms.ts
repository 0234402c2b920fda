import { z } from 'zod'
import { httpAddress, matching } from './fields.ts'
import { allOrNone, exclusive, type Given } from './given.ts'

const testCode = /^\+?(\d{7,15})=(\d{6,10})$/

const twilio = [
  'AUTH_TWILIO_ACCOUNT_SID',
  'AUTH_TWILIO_AUTH_TOKEN',
  'AUTH_TWILIO_MESSAGE_SERVICE_SID',
] as const

/** How text messages are sent. */
export const smsVariables = {
  AUTH_SMS_TEST_OTP: z
    .string()
    .transform((text) => text.split(',').map((entry) => testCode.exec(entry.trim())))
    .refine(
      (entries) => entries.every(Boolean),
      'must have the form phone=code,phone=code with codes of 6 to 10 digits',
    )
    .transform((entries) => new Map(entries.map((entry) => [String(entry?.[1]), String(entry?.[2])])))
    .default(new Map<string, string>()),
  AUTH_SMS_HOOK_URL: httpAddress.optional(),
  [twilio[0]]: matching(/^AC\w+$/, 'must start with AC').optional(),
  [twilio[1]]: z.string().optional(),
  [twilio[2]]: matching(
    /^(MG\w+|\+\d{7,15})$/,
    'must start with MG, or be a phone number with its +',
  ).optional(),
}

const SmsEnvironment = z.object(smsVariables)
type SmsEnvironment = z.infer<typeof SmsEnvironment>

/** Who delivers a text message. The outbox is a folder of files, for development and tests. */
export type SmsSender =
  | { kind: 'outbox' }
  | { kind: 'hook'; url: string }
  | { kind: 'twilio'; accountSid: string; authToken: string; from: string }

export const smsContradictions = (given: Given): string[] => [
  ...allOrNone(given, twilio),
  ...exclusive(given, ['AUTH_SMS_HOOK_URL', 'AUTH_TWILIO_ACCOUNT_SID'], 'a message is sent once'),
]

export const smsConfig = (env: SmsEnvironment) => ({
  /** Phone numbers, without +, whose code is always the same and is never sent. */
  testCodes: env.AUTH_SMS_TEST_OTP as ReadonlyMap<string, string>,
  sender: smsSender(env),
})

function smsSender(env: SmsEnvironment): SmsSender {
  if (env.AUTH_SMS_HOOK_URL) return { kind: 'hook', url: env.AUTH_SMS_HOOK_URL }
  const [accountSid, authToken, from] = twilio.map((name) => env[name])
  return accountSid && authToken && from
    ? { kind: 'twilio', accountSid, authToken, from }
    : { kind: 'outbox' }
}
