import { openSession } from '#app/session/session.ts'
import { failureMessage, type LoginFields, type LoginMode } from './login-rules.ts'

/** done: somebody is signed in. sent: a mail is on its way; the message says so. */
export type LoginOutcome =
  | { result: 'done' }
  | { result: 'sent'; message: string }
  | { result: 'failed'; message: string }

const VERIFY = 'Please check your email to verify your account before logging in.'
const RESET =
  'If there is an account with this address, a link to choose a new password is on its way to your mailbox.'

/** Sends a complete form to the account service. Never throws: whatever goes wrong becomes a message. */
export async function submitLogin(mode: LoginMode, fields: LoginFields): Promise<LoginOutcome> {
  try {
    return await actions[mode](fields)
  } catch (error) {
    return { result: 'failed', message: failureMessage(error instanceof Error ? error : {}) }
  }
}

const actions: Readonly<Record<LoginMode, (fields: LoginFields) => Promise<LoginOutcome>>> = {
  async 'sign-in'({ email, password, remember }) {
    const session = await openSession()
    session.remember(remember)
    const { client } = session
    const { error } = await client.signInWithPassword({ email, password })
    if (error) throw error
    return { result: 'done' }
  },
  async create({ email, password }) {
    const session = await openSession()
    session.remember(true)
    const { client } = session
    const { data, error } = await client.signUp({
      email,
      password,
      options: { emailRedirectTo: `${location.origin}/login` },
    })
    if (error) throw error
    return data.session ? { result: 'done' } : { result: 'sent', message: VERIFY }
  },
  async forgot({ email }) {
    const { client } = await openSession()
    const redirectTo = `${location.origin}/reset-password`
    const { error } = await client.resetPasswordForEmail(email, { redirectTo })
    if (error) throw error
    return { result: 'sent', message: RESET }
  },
}
