/** Passkeys belong to a name, not to an address in numbers, and browsers have them on https and localhost only. */
export const canUsePasskeys = (): boolean =>
  isSecureContext && 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(location.hostname)
