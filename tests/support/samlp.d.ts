/** The part of samlp that the tests use; the package brings no types. */
declare module 'samlp' {
  export interface ProfileMapper {
    getClaims(): Record<string, unknown>
    getNameIdentifier(): { nameIdentifier: string; nameIdentifierFormat?: string }
  }
  export interface ResponseOptions {
    issuer: string
    cert: string
    key: string
    audience: string
    recipient: string
    destination: string
    inResponseTo: string
    lifetimeInSeconds: number
    signAssertion: boolean
    signResponse: boolean
    signatureAlgorithm: 'rsa-sha256' | 'rsa-sha1'
    digestAlgorithm: 'sha256' | 'sha1'
    typedAttributes: boolean
    /** Both PEM: the assertion is then encrypted for whoever has the key. */
    encryptionCert?: string
    encryptionPublicKey?: string
    encryptionAlgorithm?: string
    /** False lets it encrypt with CBC, as many identity providers do. */
    disallowEncryptionWithInsecureAlgorithm?: boolean
    profileMapper(user: object): ProfileMapper
  }
  const samlp: {
    getSamlResponse(
      options: ResponseOptions,
      user: object,
      done: (error: Error | null, xml: string) => void,
    ): void
  }
  export default samlp
}
