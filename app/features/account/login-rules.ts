/** Signing in, making an account, or asking for a new password. */
export type LoginMode = 'sign-in' | 'create' | 'forgot'

export const headings: Readonly<Record<LoginMode, string>> = {
  'sign-in': 'Sign in to your account',
  create: 'Create your account',
  forgot: 'Reset your password',
}

export const submitLabels: Readonly<Record<LoginMode, string>> = {
  'sign-in': 'Sign in',
  create: 'Create account',
  forgot: 'Send the link',
}

export interface LoginFields {
  email: string
  password: string
  remember: boolean
  privacy: boolean
  terms: boolean
}

export const readLogin = (form: FormData): LoginFields => ({
  email: String(form.get('email') ?? '').trim(),
  password: String(form.get('password') ?? ''),
  remember: form.has('remember'),
  privacy: form.has('privacy'),
  terms: form.has('terms'),
})

/** What is missing, in the words of the specification (section 5); null when the form can be sent. */
export function findMissing(
  mode: LoginMode,
  { email, password, privacy, terms }: LoginFields,
): string | null {
  if (!email || (mode !== 'forgot' && !password)) return 'Please fill in all fields'
  if (mode === 'create' && !(privacy && terms)) {
    return 'Please accept both the Privacy Policy and Terms of Service to create an account'
  }
  return null
}

const LEAKED_PASSWORD =
  'This password appears in lists of leaked passwords, so others could guess it. Please choose another one.'

interface Failure {
  message?: string
  status?: number | undefined
  /** Why a password is too weak. */
  reasons?: readonly string[]
}

/** A service's message, or the specification's where it gave none: without a network there is nobody to say anything. */
export function failureMessage(error: Failure): string {
  if (error.reasons?.includes('pwned')) return LEAKED_PASSWORD
  const answered = error.status !== 0 && error.status !== undefined
  return (answered && error.message) || 'Authentication failed'
}
