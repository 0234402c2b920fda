import pino, { type Logger } from 'pino'

/** Structured lines on standard output; what could hold a secret is cut out wherever it appears. */
export const createLog = (level: string): Logger =>
  pino({
    level,
    base: null,
    redact: {
      paths: [
        'apikey',
        'authorization',
        'password',
        'token',
        'secret',
        '*.apikey',
        '*.authorization',
        '*.password',
        '*.token',
        '*.secret',
      ],
      censor: '[hidden]',
    },
  })
