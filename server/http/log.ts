import pino, { type Logger } from 'pino'

/**
 * Structured lines on standard output; what could hold a secret is cut out wherever it appears.
 * @param worker which of several workers writes them
 */
export const createLog = (level: string, worker?: number): Logger =>
  pino({
    level,
    base: worker === undefined ? null : { worker },
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
