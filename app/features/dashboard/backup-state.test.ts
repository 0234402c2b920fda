import { describe, expect, it } from 'vitest'
import { type BackupRun, backupState } from './backup-state.ts'

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

describe('what an admin is told about backups', () => {
  it('names the last verified restore, its age and its size', () => {
    expect(backupState('nightly', [run({ outcome: 'running' }), run()], now)).toEqual({
      tone: 'note',
      lines: ['Last verified restore: 8 hours ago (27 resources, 1 file, 7.3 MB).'],
    })
  })

  it('says plainly that the last one failed, and which one before it is well', () => {
    const failed = run({ outcome: 'failed', message: 'There is no room left.' })
    expect(backupState('nightly', [failed, run({ started_at: '2026-11-21T03:30:00Z' })], now)).toEqual({
      tone: 'danger',
      lines: [
        'The last backup failed 8 hours ago: There is no room left.',
        'Last verified restore: yesterday (27 resources, 1 file, 7.3 MB).',
      ],
    })
    expect(backupState('nightly', [failed], now).lines[1]).toBe('No backup has been restored on trial yet.')
  })

  it.each([
    ['2026-11-20T12:00:01Z', 'note'],
    ['2026-11-20T11:59:59Z', 'danger'],
  ])('one of %s is a %s', (started_at, tone) => {
    expect(backupState('nightly', [run({ started_at })], now).tone).toBe(tone)
  })

  it('warns of files that were missing', () => {
    expect(backupState('nightly', [run({ missing_files: 2 })], now)).toMatchObject({
      tone: 'danger',
      lines: [expect.anything(), expect.stringContaining('2 files could not be backed up')],
    })
  })

  it('says that one was only checked, that none was made yet, that they are off, and who else makes them', () => {
    expect(
      backupState('nightly', [run({ outcome: 'checked', message: 'no PostgreSQL here' })], now).lines[0],
    ).toContain('It was checked, not restored: no PostgreSQL here')
    expect(backupState('nightly', [], now)).toEqual({
      tone: 'note',
      lines: ['The first backup is made tonight.'],
    })
    expect(backupState('off', [], now)).toMatchObject({ tone: 'danger' })
    expect(backupState('hosted', [], now).lines[0]).toContain('Supabase makes the backups')
  })
})
