import { href } from 'react-router'
import type { Library } from '#app/session/client/library.ts'
import type { ResourceSummary } from '#domain/resource.ts'
import type { UnsentMessage } from './unsent-messages.tsx'

/** What the dashboard counts (specification, section 3). */
export interface DashboardStats {
  totalResources: number
  totalUsers: number
  /** 1:1 sessions that take place today. */
  activeSessions: number
}

export type DashboardRow = Pick<
  ResourceSummary,
  'id' | 'title' | 'category' | 'image_url' | 'audioUrl' | 'public' | 'featured' | 'updated_at'
>

export interface FoundRows {
  resources: readonly DashboardRow[]
  /** On all pages together. */
  total: number
  page: number
}

export interface BucketUsage {
  bucket: string
  files: number
  bytes: number
}

/** A nightly backup, as the database notes it. */
export interface BackupRun {
  started_at: string
  outcome: 'running' | 'verified' | 'checked' | 'failed'
  bytes: number | null
  resources: number | null
  files: number | null
  missing_files: number | null
  message: string
}

export const ROWS = 20
const RECENT_ROWS = 8
const rowColumns = 'id,title,category,image_url,audioUrl,public,featured,updated_at'

/** All that the dashboard shows; each part that could not be loaded is null, and the others stand. */
export async function readDashboard(library: Library, search: URLSearchParams) {
  const shown = readShown(search)
  const [stats, rows, usage, unsent, backups] = await Promise.all([
    orNull(countAll(library)),
    orNull(findRows(library, shown)),
    orNull(findUsage(library)),
    orNull(findUnsent(library)),
    orNull(findBackups(library)),
  ])
  return { shown, stats, rows, usage, unsent, backups }
}

/** The three counts of section 7: no row is sent for them. */
async function countAll(library: Library): Promise<DashboardStats> {
  const count = () => library.from('resources').select('id', { count: 'exact', head: true })
  const [resources, users, sessions] = await Promise.all([
    count(),
    library.from('users').select('id', { count: 'exact', head: true }),
    count().eq('category', 'session').eq('date', today()),
  ])
  return { totalResources: counted(resources), totalUsers: counted(users), activeSessions: counted(sessions) }
}

function counted({ count, error }: { count: number | null; error: unknown }): number {
  if (error || count === null) throw error ?? new Error('there is no count')
  return count
}

/** The date where the admin is, as the database writes dates. */
const today = () => new Date().toLocaleDateString('sv-SE')

/** What was changed last; or all that is private, or featured, page by page. A page that is gone shows the first. */
async function findRows(library: Library, { kind, page }: Shown): Promise<FoundRows> {
  let rows = library
    .from('resources')
    .select(rowColumns, { count: 'exact' })
    .order('updated_at', { ascending: false })
    .order('id')
  if (kind === 'private') rows = rows.eq('public', false)
  if (kind === 'featured') rows = rows.eq('featured', true)
  const [from, size] = kind === 'recent' ? [0, RECENT_ROWS] : [(page - 1) * ROWS, ROWS]
  const { data, count, error } = await rows
    .range(from, from + size - 1)
    .overrideTypes<DashboardRow[], { merge: false }>()
  if (error?.code === OUT_OF_RANGE && page > 1) return findRows(library, { kind, page: 1 })
  if (error) throw error
  return { resources: data, total: count ?? 0, page }
}

/** PostgREST's code for an offset behind the last row: links outlive resources. */
const OUT_OF_RANGE = 'PGRST103'

async function findUsage(library: Library): Promise<BucketUsage[]> {
  const { data, error } = await library.rpc('storage_usage')
  if (error) throw error
  return data
}

async function findUnsent(library: Library): Promise<UnsentMessage[]> {
  const { data, error } = await library.rpc('unsent_messages')
  if (error) throw error
  return data
}

/** As many as tell when the last good one was made, unless there has been none for two weeks. */
const BACKUP_RUNS = 14

async function findBackups(library: Library): Promise<BackupRun[]> {
  const { data, error } = await library
    .from('backup_runs')
    .select('started_at,outcome,bytes,resources,files,missing_files,message')
    .order('started_at', { ascending: false })
    .limit(BACKUP_RUNS)
  if (error) throw error
  return data
}

const orNull = <T>(answer: Promise<T>): Promise<T | null> =>
  answer.catch((error) => {
    console.warn('A part of the dashboard could not be loaded:', error)
    return null
  })

/** Which resources the dashboard lists, and which page of them. */
export interface Shown {
  kind: 'recent' | 'private' | 'featured'
  /** From 1. */
  page: number
}

/** Reads the dashboard's address; what it does not understand is the recent changes, or the first page. */
export function readShown(search: URLSearchParams): Shown {
  const asked = search.get('show')
  const kind = asked === 'private' || asked === 'featured' ? asked : 'recent'
  const page = Number(search.get('page') ?? 1)
  return { kind, page: Number.isInteger(page) && page > 0 && page < 100_000 ? page : 1 }
}

/** The address of a list on the dashboard. */
export const shownAddress = ({ kind, page }: Shown): string => {
  if (kind === 'recent') return href('/admin')
  return page > 1 ? `${href('/admin')}?show=${kind}&page=${page}` : `${href('/admin')}?show=${kind}`
}
