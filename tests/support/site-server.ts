import { randomUUID } from 'node:crypto'
import { cp, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseUrl, onServer, TEMPLATE } from './databases.ts'
import { type ServerOptions, type ServerProcess, startServer } from './server-process.ts'
import { furnishedTemplate } from './test-postgres.ts'

/** Removing it removes its database, too. */
interface SiteServer extends ServerProcess {
  databaseUrl: string
}

/**
 * The service as an owner of many visitors runs it, with a database of its own on the run's PostgreSQL server: a copy of
 * one that is migrated and holds the starter library, unless STARTER_CONTENT is off. Several times as quick as
 * `startServer`, whose service makes all of that itself, and meant for tests of anything else.
 */
export async function startSite(options: ServerOptions = {}): Promise<SiteServer> {
  const name = `site_${randomUUID().replaceAll('-', '')}`
  const dataDir = await mkdtemp(join(tmpdir(), 'walking-together-'))
  if (options.env?.STARTER_CONTENT === 'off') {
    await onServer(`create database ${name} template ${TEMPLATE}`)
  } else {
    const { template, files } = await furnishedTemplate()
    await onServer(`create database ${name} template ${template}`)
    await cp(files, join(dataDir, 'files'), { recursive: true })
  }
  const removeDatabase = () => onServer(`drop database if exists ${name} with (force)`)
  try {
    const url = databaseUrl(name)
    const env = { ...options.env, DATABASE_URL: url }
    const server = await startServer({ ...options, dataDir, env })
    const remove = () => server.remove().finally(removeDatabase)
    return { ...server, databaseUrl: url, remove }
  } catch (error) {
    await removeDatabase()
    throw error
  }
}
