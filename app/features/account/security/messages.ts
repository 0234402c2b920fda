/** The service ends sessions that have shown only a password, because one of them may be somebody else's. */
export const FACTOR_ADDED =
  'Your second step is on. Other devices that were signed in with the password alone have been signed out.'
