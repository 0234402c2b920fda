/** The members and their roles, wherever they are kept. */
export interface Roster {
  admins(): Promise<string[]>
  /** undefined: nobody has an account with that address. */
  roleOf(email: string): Promise<string | undefined>
  setRole(email: string, role: 'admin' | 'member'): Promise<void>
  close(): Promise<void>
}
