import { describe, expect, it } from 'vitest'
import { backupState, bytesLabel } from './backups-and-storage.tsx'
import type { BackupRun } from './read-dashboard.ts'

const now = Date.parse('2026-11-22T12:00:00Z')
const run = (fields: Partial<BackupRun> = {}): BackupRun => ({
  started_at: '2026-11-22T03:30:00Z',
  outcome: 'verified',
  bytes: 7_651_840,
  resources: 27,
  files: 1,
  missing_files: 0,
  message: '',
  ...fields,
})

const facts = (age: string) => [
  { label: 'Last verified restore', value: age },
  { label: 'What is in it', value: '27 resources, 1 file' },
  { label: 'Size', value: '7.3 MB' },
]

describe('what an admin is told about backups', () => {
  it('names the last verified restore, its age and its size', () => {
    expect(backupState('nightly', [run({ outcome: 'running' }), run()], now)).toEqual({
      problems: [],
      notes: [],
      facts: facts('8 hours ago'),
    })
  })

  it('says plainly that the last one failed and what to do, and which one before it is well', () => {
    const failed = run({ outcome: 'failed', message: 'There is no room left.' })
    expect(backupState('nightly', [failed, run({ started_at: '2026-11-21T03:30:00Z' })], now)).toEqual({
      problems: [
        'The last backup failed 8 hours ago: There is no room left.',
        'The next one is tried tonight; “npm run backup” on the server makes one now.',
      ],
      notes: [],
      facts: facts('yesterday'),
    })
    expect(backupState('nightly', [failed], now).notes).toEqual(['No backup has been restored on trial yet.'])
  })

  it.each([
    ['2026-11-20T12:00:01Z', []],
    [
      '2026-11-20T11:59:59Z',
      [expect.stringContaining('no backup for more than two days'), expect.anything()],
    ],
  ])('one of %s is no news, or is', (started_at, problems) => {
    expect(backupState('nightly', [run({ started_at })], now).problems).toEqual(problems)
  })

  it('warns of files that were missing', () => {
    expect(backupState('nightly', [run({ missing_files: 2 })], now)).toMatchObject({
      problems: [expect.stringContaining('2 files could not be backed up')],
      facts: facts('8 hours ago'),
    })
  })

  it('says that one was only checked, that none was made yet, that they are off, and who else makes them', () => {
    const checked = backupState('nightly', [run({ outcome: 'checked', message: 'no PostgreSQL here' })], now)
    expect(checked.facts[0]).toEqual({ label: 'Last backup', value: '8 hours ago' })
    expect(checked.notes).toEqual(['It was checked, not restored on trial: no PostgreSQL here'])
    expect(backupState('nightly', [], now)).toEqual({
      problems: [],
      notes: ['The first backup is made tonight.'],
      facts: [],
    })
    expect(backupState('off', [run()], now)).toMatchObject({
      problems: [expect.stringContaining('Nightly backups are turned off.')],
      facts: facts('8 hours ago'),
    })
    expect(backupState('hosted', [], now).notes[0]).toContain('Supabase makes the backups')
  })
})

it.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1 KB'],
  [1536, '1.5 KB'],
  [200 * 1024, '200 KB'],
  [5 * 1024 ** 2, '5 MB'],
  [3.27 * 1024 ** 3, '3.3 GB'],
  [2 * 1024 ** 5, '2048 TB'],
])('%i bytes are %s', (bytes, label) => {
  expect(bytesLabel(bytes)).toBe(label)
})
