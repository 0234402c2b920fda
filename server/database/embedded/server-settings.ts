import type { ServerSettings } from './postmaster.ts'

/** Connections that one process of the service may hold: its pool, its listeners, its jobs. */
const CONNECTIONS_PER_PROCESS = 20
/** For tools beside it, autovacuum's look around, and the owner's own client. */
const FURTHER_CONNECTIONS = 20

/**
 * How our own PostgreSQL runs. Given at each start rather than written into the cluster, so that a new release can change
 * it. What an acknowledged commit promises is said outright.
 */
export const serverSettings = (processes: number): ServerSettings => ({
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  max_connections: String(CONNECTIONS_PER_PROCESS * processes + FURTHER_CONNECTIONS),
  ...modestMemory,
  ...quickRecovery,
  ...patience,
  ...quietLog,
  ...plain,
})

/** The service and its database share a small machine, whose page cache holds the same files anyway. */
const modestMemory = {
  shared_buffers: '32MB',
  wal_buffers: '1MB',
  work_mem: '4MB',
  maintenance_work_mem: '32MB',
  // Neither workers that read ahead, nor those that share one query: the questions here are short.
  io_method: 'sync',
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  max_worker_processes: '2',
  max_logical_replication_workers: '0',
  autovacuum_max_workers: '1',
  max_wal_senders: '0',
  huge_pages: 'off',
  jit: 'off',
}

/** As much log as can be read again within two or three seconds of a start after a crash. */
const quickRecovery = { max_wal_size: '192MB', min_wal_size: '64MB', checkpoint_timeout: '5min' }

/** Requests bring limits of their own (`settings.ts`); these are for whatever brings none. */
const patience = {
  idle_in_transaction_session_timeout: '1h',
  client_connection_check_interval: '2s',
  authentication_timeout: '10s',
  tcp_keepalives_idle: '30',
}

/** Its own troubles, and no statements or values: those are private. */
const quietLog = {
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  log_autovacuum_min_duration: '-1',
  log_line_prefix: '',
  log_destination: 'stderr',
  logging_collector: 'off',
  lc_messages: 'C',
}

const plain = { TimeZone: 'UTC', log_timezone: 'UTC', cluster_name: 'walking-together' }
