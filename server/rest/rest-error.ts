/** The body of every refusal, as PostgREST writes it. */
export interface ErrorBody {
  code: string
  message: string
  details: string | null
  hint: string | null
}

type GivenBody = Pick<ErrorBody, 'code' | 'message'> & {
  details?: string | null | undefined
  hint?: string | null | undefined
}

/** A failure that a client of /rest/v1 understands (protocol.md 6.10). */
export class RestError extends Error {
  readonly status: number
  readonly code: string
  readonly body: ErrorBody
  readonly headers: ReadonlyArray<[name: string, value: string]>

  constructor(status: number, body: GivenBody, headers: RestError['headers'] = []) {
    super(body.message)
    this.name = 'RestError'
    this.status = status
    this.code = body.code
    this.body = {
      code: body.code,
      message: body.message,
      details: body.details ?? null,
      hint: body.hint ?? null,
    }
    this.headers = headers
  }
}
