import { Secret, TOTP } from 'otpauth'

/** What authenticator apps assume whatever the address says: SHA-1, six digits, half a minute. */
const SHAPE = { algorithm: 'SHA1', digits: 6, period: 30 }
const SECRET_BYTES = 20
/** Clocks may differ by one step. */
const DRIFT_STEPS = 1

interface Owner {
  issuer: string
  /** The account's address, under which the app lists it. */
  label: string
}

/** A fresh secret in the three forms in which it is shown: picture, text, address. */
export async function newTotp({ issuer, label }: Owner) {
  const totp = new TOTP({ ...SHAPE, issuer, label, secret: new Secret({ size: SECRET_BYTES }) })
  const uri = totp.toString()
  return { qr_code: await drawQrCode(uri), secret: totp.secret.base32, uri }
}

/** The time step whose code this is, if it is one of about now. */
export function stepOf(code: string, secret: string, now: number): number | undefined {
  // The library compares text of equal length by its bytes, of which other scripts' digits have more.
  if (!/^[0-9]{6}$/.test(code)) return undefined
  const delta = new TOTP({ ...SHAPE, secret: Secret.fromBase32(secret) }).validate({
    token: code,
    timestamp: now,
    window: DRIFT_STEPS,
  })
  return delta === null ? undefined : TOTP.counter({ period: SHAPE.period, timestamp: now }) + delta
}

/** auth-js makes a data address of it as it is, in which `#` would begin a fragment: so colours have names. */
async function drawQrCode(text: string): Promise<string> {
  const { default: qrcode } = await import('qrcode')
  const svg = await qrcode.toString(text, { type: 'svg', errorCorrectionLevel: 'M' })
  return svg.replaceAll('#ffffff', 'white').replaceAll('#000000', 'black').trim()
}
