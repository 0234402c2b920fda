import type { Readable, Writable } from 'node:stream'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { fromDriver } from '#server/database/errors.ts'
import type { Transaction, Value } from '#server/database/port.ts'

/** One long transaction on a connection of its own, which can also copy tables out and in. */
export interface Session {
  tx: Transaction
  /** `copy … to stdout`: bytes as they arrive; `rowCount` is right at its end. */
  copyOut(sql: string): Readable & { rowCount: number }
  /** `copy … from stdin`: `rowCount` is right once it has finished. */
  copyIn(sql: string): Writable & { rowCount: number }
  commit(): Promise<void>
  /** Ends the connection. */
  close(): Promise<void>
}

const APPLICATION_NAME = 'walking-together-backup'

/** The same text for the same value on every server, and no clock of the server's that could end a long copy. */
const SETTINGS = `
  set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 0;
  set local lock_timeout = '60s';
  set local time zone 'UTC';
  set local datestyle = 'ISO';
  set local intervalstyle = 'postgres';
  set local bytea_output = 'hex';
  set local extra_float_digits = 1;
  set local client_encoding = 'UTF8';
  set local synchronize_seqscans = off;`

/**
 * Begins a transaction as the database's owner: a `snapshot` sees one moment and writes nothing. Whatever ends this
 * process rolls it back, and so does closing it before a commit. Errors: DatabaseUnavailable.
 */
export async function openSession(url: string, kind: 'snapshot' | 'write'): Promise<Session> {
  const client = new pg.Client({ connectionString: url, application_name: APPLICATION_NAME, keepAlive: true })
  // A connection that breaks fails the next statement, which does not know why; without a handler the process would end.
  let lost: Error | undefined
  client.on('error', (error) => {
    lost ??= error
  })
  try {
    await client.connect()
    const mode = kind === 'snapshot' ? 'repeatable read read only' : 'read committed'
    await client.query(`begin isolation level ${mode}`)
    await client.query(SETTINGS)
  } catch (error) {
    await client.end().catch(() => undefined)
    throw fromDriver(error)
  }
  return sessionOn(client, () => lost)
}

function sessionOn(client: pg.Client, whyLost: () => Error | undefined): Session {
  const run = (text: string, values?: Value[]) =>
    client.query(text, values).catch((error) => {
      throw fromDriver(whyLost() ?? error)
    })
  return {
    tx: {
      async query<Row>(text: string, values: readonly Value[] = []) {
        const { rows, rowCount } = await run(text, [...values])
        return { rows: rows as Row[], affected: rowCount ?? rows.length }
      },
      async script(sql) {
        await run(sql)
      },
    },
    copyOut: (sql) => client.query(copyTo(sql)),
    copyIn: (sql) => client.query(copyFrom(sql)),
    async commit() {
      await run('commit')
    },
    close: () => client.end().catch(() => undefined),
  }
}
