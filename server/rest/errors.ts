const refuse = (status: number, code: string, message: string, details?: string, hint?: string) =>
  new RestError(status, { code, message, details, hint })

const outOfRange = (details: string, headers: RestError['headers'] = []) =>
  new RestError(416, { code: 'PGRST103', message: 'Requested range not satisfiable', details }, headers)
const misspelt = (kind: string, name: string | undefined) => name && `Perhaps you meant ${kind} ${name}`

/** Every refusal of our own, by what went wrong. Codes and words are PostgREST's where it has them. */
export const restErrors = {
  databaseGone: () => refuse(503, 'PGRST000', 'Database connection error. Retrying the connection.'),
  busy: (seconds: number) =>
    new RestError(503, { code: 'PGRST003', message: 'The service is busy. Try again in a moment.' }, [
      ['Retry-After', String(seconds)],
    ]),
  schemaCacheGone: () =>
    refuse(503, 'PGRST002', 'Could not query the database for the schema cache. Retrying.'),
  /** Nobody reads it; the log shows nginx's number for that. */
  aborted: () => refuse(499, '57014', 'canceling statement due to user request'),
  unreadable: (message: string, details: string) => refuse(400, 'PGRST100', message, details),
  addressTooLong: (limit: number) => refuse(414, 'PGRST100', `The address is longer than ${limit} bytes`),
  rpcMethod: (method: string) => refuse(405, 'PGRST101', `Cannot use the ${method} method on RPC`),
  badBody: (message: string) => refuse(400, 'PGRST102', message),
  bodyTooLarge: (limit: number) => refuse(413, 'PGRST102', `The request body is larger than ${limit} bytes`),
  answerTooLarge: (limit: number) =>
    refuse(
      400,
      '54000',
      `The answer would be larger than ${limit} bytes`,
      undefined,
      'Ask for fewer rows or columns, with select, limit and offset',
    ),
  sameColumn: (column: string, limit: number) =>
    refuse(400, 'PGRST100', `The column ${column} is selected more than ${limit} times`),
  noFilter: (verb: 'UPDATE' | 'DELETE') => refuse(400, '21000', `${verb} requires a WHERE clause`),
  tooManyPatterns: (limit: number) =>
    refuse(
      400,
      '54000',
      `More than ${limit} regular expressions in one request`,
      undefined,
      'Sign in, or use like and ilike',
    ),
  costlyPattern: () =>
    refuse(
      400,
      '2201B',
      'invalid regular expression: regular expression is too complex',
      undefined,
      'References back to a group, looking around, many repetitions or alternatives and long patterns are for members only',
    ),
  negativeLimit: () => outOfRange('Limit should be greater than or equal to zero.'),
  rangeUpsideDown: () =>
    outOfRange('The lower boundary must be lower than or equal to the upper boundary in the Range header.'),
  offsetBeyondEnd: (offset: number, total: number, headers: RestError['headers']) =>
    outOfRange(`An offset of ${offset} was requested, but there are only ${total} rows.`, headers),
  replaceFilters: () =>
    refuse(405, 'PGRST105', "Filters must include all and only primary key columns with 'eq' operators"),
  unknownSchema: (schema: string, exposed: readonly string[]) =>
    refuse(
      406,
      'PGRST106',
      `Invalid schema: ${schema}`,
      undefined,
      `Only the following schemas are exposed: ${exposed.join(', ')}`,
    ),
  mediaType: (wanted: readonly string[]) =>
    refuse(406, 'PGRST107', `None of these media types are available: ${wanted.join(', ')}`),
  badResponseHeaders: () =>
    refuse(
      500,
      'PGRST111',
      'response.headers guc must be a JSON array composed of objects with a single key and a string value',
    ),
  badResponseStatus: () => refuse(500, 'PGRST112', 'response.status guc must be a valid status code'),
  replaceLimited: () =>
    refuse(400, 'PGRST114', 'limit/offset querystring parameters are not allowed for PUT'),
  replaceMismatch: () => refuse(400, 'PGRST115', 'Payload values do not match URL in primary key column(s)'),
  notSingle: (rows: number) =>
    refuse(
      406,
      'PGRST116',
      'Cannot coerce the result to a single JSON object',
      `The result contains ${rows} rows`,
    ),
  method: (method: string) => refuse(405, 'PGRST117', `Unsupported HTTP method: ${method}`),
  badRaise: (details: string, hint: string) =>
    refuse(500, 'PGRST121', `Could not parse JSON in the "RAISE SQLSTATE 'PGRST'" error`, details, hint),
  badPreferences: (invalid: readonly string[]) =>
    refuse(
      400,
      'PGRST122',
      'Invalid preferences given with handling=strict',
      `Invalid preferences: ${invalid.join(', ')}`,
    ),
  aggregatesOff: () => refuse(400, 'PGRST123', 'Use of aggregate functions is not allowed'),
  tooManyAffected: (rows: number) =>
    refuse(
      400,
      'PGRST124',
      'Query result exceeds max-affected preference constraint',
      `The query affects ${rows} rows`,
    ),
  unknownPath: () => refuse(404, 'PGRST125', 'Invalid path specified in request URL'),
  rootOff: () => refuse(404, 'PGRST126', 'Root endpoint metadata is disabled'),
  notImplemented: (details: string) => refuse(400, 'PGRST127', 'Feature not implemented', details),
  maxAffectedOnSingle: () =>
    refuse(
      400,
      'PGRST128',
      'Function must return SETOF or TABLE when max-affected preference is used with handling=strict',
    ),
  unknownRoutine: (message: string, details: string, hint?: string) =>
    refuse(404, 'PGRST202', message, details, hint),
  ambiguousRoutine: (candidates: readonly string[]) =>
    refuse(
      300,
      'PGRST203',
      `Could not choose the best candidate function between: ${candidates.join(', ')}`,
      undefined,
      'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
    ),
  unknownBodyColumn: (table: string, column: string) =>
    refuse(400, 'PGRST204', `Could not find the '${column}' column of '${table}' in the schema cache`),
  unknownTable: (schema: string, table: string, similar?: string) =>
    refuse(
      404,
      'PGRST205',
      `Could not find the table '${schema}.${table}' in the schema cache`,
      undefined,
      misspelt('the table', similar && `'${schema}.${similar}'`),
    ),
  /** The database's own words for what it would say itself, had the name reached it. */
  unknownColumn: (table: string, column: string, similar?: string) =>
    refuse(
      400,
      '42703',
      `column ${table}.${column} does not exist`,
      undefined,
      similar && `Perhaps you meant to reference the column "${table}.${similar}".`,
    ),
  unknownType: (type: string) => refuse(400, '42704', `type "${type}" does not exist`),
  internal: () => refuse(500, 'PGRSTX00', 'Something went wrong on our side'),
}

/** The body of every refusal, as PostgREST writes it. */
interface ErrorBody {
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
