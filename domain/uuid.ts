const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Whether PostgreSQL takes this for a uuid in its usual form (RFC 9562, section 4), any version. */
export const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value)
