import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Database, Value } from '#server/database/port.ts'
import { type AuthError, authErrors } from './errors.ts'
import { digest } from './secrets.ts'

/** How often something may happen; who counts as one is the caller's key: a client address, an account. */
const allowances = {
  /** Per client address. Families, schools and offices share one. */
  signIn: { points: 30, duration: 300 },
  refresh: { points: 150, duration: 300 },
  verify: { points: 30, duration: 300 },
  send: { points: 30, duration: 300 },
  anonymous: { points: 30, duration: 3600 },
  user: { points: 150, duration: 300 },
  factor: { points: 150, duration: 300 },
  passkey: { points: 120, duration: 300 },
  /** How many forged tokens the audit log takes note of. */
  forgery: { points: 10, duration: 300 },
  /** Per account, forgotten after a success. Six digits stand 15 guesses an hour for far longer than a code lives. */
  password: { points: 30, duration: 300 },
  /** Per account and client address together. */
  guess: { points: 10, duration: 300 },
  code: { points: 15, duration: 3600 },
} as const

type Kind = keyof typeof allowances
/** Holds even with AUTH_RATE_LIMITS=off, like the pause between mails: it keeps codes from being guessed. */
const ALWAYS_ON: ReadonlySet<Kind> = new Set(['code', 'forgery'])

export interface RateLimitSettings {
  /** Seconds between two mails (or text messages) of a kind to one address. */
  mailInterval: number
  /** How much the whole installation sends in an hour; notices of changes to an account come on top. */
  mailsPerHour: number
  smsPerHour: number
  /** False lifts the limits per client address. */
  rateLimits: boolean
}

export interface Limits {
  /** Counts one, before the work: many attempts at once count as many. Errors: over_request_rate_limit. */
  count(kind: Kind, key: string): Promise<void>
  /** Starts counting anew, after a success. */
  forget(kind: Kind, key: string): Promise<void>
  /**
   * Counts a guess at an account's password, before it is checked. One address has ten in five minutes. When all
   * addresses together have had thirty, each has one: who guesses from many is slowed, and the owner, from an address
   * where nobody has guessed wrong, gets in. Errors: over_request_rate_limit.
   */
  countGuess(account: string, client: string): Promise<void>
  /** The guess was right: it is not counted. */
  forgetGuess(account: string, client: string): Promise<void>
  /** Takes the one mail of this kind that an address may get per interval. Errors: over_email_send_rate_limit. */
  takeMailSlot(kind: string, address: string): Promise<void>
  /** The same for text messages. Errors: over_sms_send_rate_limit. */
  takeSmsSlot(kind: string, phone: string): Promise<void>
  /**
   * Counts one message of the whole installation, however many ask for one. Returns 0, or how many seconds it has to wait.
   */
  takeFromBudget(message: MessageKind): Promise<number>
  /**
   * Counts a request that may send one, against what one client address may have of the installation's budget in an hour:
   * a quarter, so that nobody uses up everybody's. Errors: over_email_send_rate_limit, over_sms_send_rate_limit.
   */
  countShare(message: MessageKind, client: string): Promise<void>
  /** Gives a slot back when nothing was sent. */
  returnSlot(kind: string, address: string): Promise<void>
}

/** One table for all processes. Counting is a transaction of its own: a failed call counts too. */
export const createLimits = (db: Database, settings: RateLimitSettings): Limits => ({
  ...createCallLimits(db, settings),
  ...createMessageLimits(db, settings),
})

type CallLimits = Pick<Limits, 'count' | 'forget' | 'countGuess' | 'forgetGuess'>

/** How often a client may call, and how often it may guess. */
function createCallLimits(db: Database, { rateLimits }: RateLimitSettings): CallLimits {
  const limiters = Object.fromEntries(
    Object.entries(allowances).map(([kind, allowance]) => [kind, createLimiter(db, kind, allowance)]),
  ) as Record<Kind, RateLimiterPostgres>
  const isOff = (kind: Kind) => !rateLimits && !ALWAYS_ON.has(kind)
  return {
    async count(kind, key) {
      if (!isOff(kind))
        await limiters[kind].consume(digest(key)).catch(refuseWith(authErrors.tooManyRequests))
    },
    async forget(kind, key) {
      if (!isOff(kind)) await limiters[kind].delete(digest(key))
    },
    async countGuess(account, client) {
      if (isOff('guess')) return
      const own = await limiters.guess
        .consume(digest(guessKey(account, client)))
        .catch(refuseWith(authErrors.tooManyRequests))
      await limiters.password.consume(digest(account)).catch((error) => {
        const isFirst = error instanceof RateLimiterRes && own.consumedPoints === 1
        if (!isFirst) refuseWith(authErrors.tooManyRequests)(error)
      })
    },
    async forgetGuess(account, client) {
      if (isOff('guess')) return
      await limiters.guess.delete(digest(guessKey(account, client)))
      await limiters.password.reward(digest(account), 1)
    },
  }
}

type MessageKind = 'mail' | 'sms'

/** How much is sent: to one address, for one client, by the whole installation. */
function createMessageLimits(db: Database, settings: RateLimitSettings): Omit<Limits, keyof CallLimits> {
  const { rateLimits, mailInterval, mailsPerHour, smsPerHour } = settings
  const slots = createLimiter(db, 'slot', { points: 1, duration: mailInterval })
  const budgets = {
    mail: createLimiter(db, 'mails', { points: mailsPerHour, duration: 3600 }),
    sms: createLimiter(db, 'texts', { points: smsPerHour, duration: 3600 }),
  }
  const shares = {
    mail: createLimiter(db, 'mails of one', { points: shareOf(mailsPerHour), duration: 3600 }),
    sms: createLimiter(db, 'texts of one', { points: shareOf(smsPerHour), duration: 3600 }),
  }
  const takeSlot = async (message: MessageKind, kind: string, address: string) => {
    const state = await budgets[message].get(EVERYBODY)
    if (state && state.remainingPoints <= 0 && state.msBeforeNext > 0)
      throw tooMany[message](secondsLeft(state))
    if (mailInterval > 0) await slots.consume(slotKey(kind, address)).catch(refuseWith(tooMany[message]))
  }
  return {
    takeMailSlot: (kind, address) => takeSlot('mail', kind, address),
    takeSmsSlot: (kind, phone) => takeSlot('sms', kind, phone),
    async takeFromBudget(message) {
      try {
        await budgets[message].consume(EVERYBODY)
        return 0
      } catch (error) {
        if (error instanceof RateLimiterRes) return secondsLeft(error)
        throw error
      }
    },
    async countShare(message, client) {
      if (rateLimits) await shares[message].consume(digest(client)).catch(refuseWith(tooMany[message]))
    },
    async returnSlot(kind, address) {
      await slots.delete(slotKey(kind, address))
    },
  }
}

const tooMany: Readonly<Record<MessageKind, Refusal>> = {
  mail: authErrors.tooManyMails,
  sms: authErrors.tooManySms,
}

/**
 * The pause that an address has to wait between two messages of a kind, whether it has an account or not. If `work`
 * fails, the pause does not begin. Errors: over_email_send_rate_limit, over_sms_send_rate_limit, also while the whole
 * installation has sent as much as it may in an hour.
 */
export async function withSendCooldown<T>(
  { limits }: { limits: Limits },
  slot: { kind: string; email: string } | { kind: string; phone: string },
  work: () => Promise<T>,
): Promise<T> {
  const address = 'email' in slot ? slot.email : slot.phone
  await ('email' in slot ? limits.takeMailSlot(slot.kind, address) : limits.takeSmsSlot(slot.kind, address))
  try {
    return await work()
  } catch (error) {
    await limits.returnSlot(slot.kind, address)
    throw error
  }
}

/** The key of what is counted for the whole installation. */
const EVERYBODY = 'all'

/** However small the budget is, a family gets its mails. */
const LEAST_SHARE = 10
const shareOf = (budget: number) => Math.max(LEAST_SHARE, Math.ceil(budget / 4))

/** Addresses are kept as digests: this table is no list of who was here. */
const slotKey = (kind: string, address: string) => digest(`${kind}:${address}`)

const guessKey = (account: string, client: string) => JSON.stringify([account, client])

type Refusal = (seconds: number) => AuthError

const refuseWith = (refusal: Refusal) => (error: unknown) => {
  throw error instanceof RateLimiterRes ? refusal(secondsLeft(error)) : error
}

const secondsLeft = (state: RateLimiterRes): number => Math.max(1, Math.ceil(state.msBeforeNext / 1000))

/** The library wants a `pg` pool; our port gives the same answers from both databases. */
function createLimiter(db: Database, keyPrefix: string, allowance: { points: number; duration: number }) {
  const query = ({ text, values = [] }: { text: string; values?: Value[] }) =>
    db.asOwner('rate limit', async (tx) => {
      const { rows, affected } = await tx.query(text, values)
      return { rows, rowCount: affected }
    })
  return new RateLimiterPostgres({
    ...allowance,
    keyPrefix,
    storeClient: { query },
    storeType: 'pool',
    schemaName: 'platform',
    tableName: 'rate_limits',
    tableCreated: true,
    // One of them sweeps the table for all.
    clearExpiredByTimeout: keyPrefix === 'slot',
  })
}
