import type { TokenType } from './repository.ts'

/** What verifyOtp and links call a purpose, and the tokens that serve it (protocol.md, POST /verify). */
export const purposes = {
  signup: ['confirmation_token'],
  invite: ['confirmation_token'],
  magiclink: ['recovery_token', 'confirmation_token'],
  recovery: ['recovery_token'],
  email: ['confirmation_token', 'recovery_token'],
  email_change: ['email_change_token_current', 'email_change_token_new'],
  sms: ['confirmation_token', 'recovery_token'],
  phone_change: ['phone_change_token'],
} as const satisfies Record<string, readonly TokenType[]>

export type Purpose = keyof typeof purposes

export const isPurpose = (word: string): word is Purpose => Object.hasOwn(purposes, word)

/** Purposes whose tokens go to a phone. */
export const isForPhone = (purpose: Purpose): boolean => purpose === 'sms' || purpose === 'phone_change'
