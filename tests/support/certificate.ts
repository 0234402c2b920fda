import { generateKeyPairSync, sign } from 'node:crypto'

const SHA256_WITH_RSA = Buffer.from('06092a864886f70d01010b0500', 'hex')
const COMMON_NAME = Buffer.from('0603550403', 'hex')
const SEQUENCE = 0x30
const SET = 0x31
const INTEGER = 0x02
const BIT_STRING = 0x03
const UTF8 = 0x0c
const UTC_TIME = 0x17

/** A fresh key with a certificate that it has signed itself, both as PEM. Node can read these, but not make them. */
export function selfSigned(name: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const algorithm = der(SEQUENCE, SHA256_WITH_RSA)
  const who = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8, Buffer.from(name)))))
  const when = der(
    SEQUENCE,
    der(UTC_TIME, Buffer.from('200101000000Z')),
    der(UTC_TIME, Buffer.from('491231235959Z')),
  )
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const body = der(SEQUENCE, der(INTEGER, Buffer.from([1])), algorithm, who, when, who, spki)
  const signature = der(BIT_STRING, Buffer.from([0]), sign('sha256', body, privateKey))
  const base64 = der(SEQUENCE, body, algorithm, signature).toString('base64')
  const lines = base64.match(/.{1,64}/g)?.join('\n')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  }
}

/** Tag, length and value, as ASN.1's distinguished rules have them. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const value = Buffer.concat(parts)
  const { length } = value
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), value])
}
