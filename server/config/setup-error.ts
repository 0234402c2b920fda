/** Something that the owner of the installation can mend: the message says what and how, so no stack is needed. */
export class SetupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
  }
}
