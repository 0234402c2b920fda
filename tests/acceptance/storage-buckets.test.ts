import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storages, type TestStorage } from '#tests/support/storage.ts'

describe.each(storages)('buckets on %s', (_name, open) => {
  let storage: TestStorage
  beforeAll(async () => {
    storage = await open()
  })
  afterAll(() => storage.close())
  const service = () => storage.as('service')

  it('are made, described, changed and deleted', async () => {
    const made = await service().createBucket('talks', {
      public: true,
      fileSizeLimit: '20MB',
      allowedMimeTypes: ['audio/*', 'video/mp4'],
    })
    expect(made).toEqual({ data: { name: 'talks' }, error: null })
    const { data: bucket } = await service().getBucket('talks')
    expect(bucket).toEqual({
      id: 'talks',
      name: 'talks',
      owner: '',
      public: true,
      type: 'STANDARD',
      file_size_limit: 20_000_000,
      allowed_mime_types: ['audio/*', 'video/mp4'],
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: expect.any(String),
    })
    const changed = await service().updateBucket('talks', { public: false, fileSizeLimit: null })
    expect(changed.data).toEqual({ message: 'Successfully updated' })
    expect((await service().getBucket('talks')).data).toMatchObject({
      public: false,
      file_size_limit: null,
      allowed_mime_types: ['audio/*', 'video/mp4'],
    })
    expect((await service().deleteBucket('talks')).data).toEqual({ message: 'Successfully deleted' })
    expect((await service().getBucket('talks')).error).toMatchObject({
      status: 404,
      message: 'Bucket not found',
    })
  })

  it('are listed by page, order and search', async () => {
    const names = async (options?: object) =>
      (await service().listBuckets(options)).data?.map(({ name }) => name)
    expect(await names()).toEqual(['audio', 'images', 'vault'])
    expect(await names({ sortColumn: 'name', sortOrder: 'desc', limit: 2 })).toEqual(['vault', 'images'])
    expect(await names({ limit: 1, offset: 1 })).toEqual(['images'])
    expect(await names({ search: 'AUD' })).toEqual(['audio'])
  })

  it('are shown to admins only, and managed by the service role only', async () => {
    expect((await storage.as('admin').listBuckets()).data).toHaveLength(3)
    expect((await storage.as('member').listBuckets()).data).toEqual([])
    expect((await storage.as('visitor').getBucket('images')).error).toMatchObject({ status: 404 })
    for (const who of ['visitor', 'member', 'admin'] as const) {
      const { error } = await storage.as(who).createBucket('mine', { public: true })
      expect(error).toMatchObject({ status: 403, message: 'new row violates row-level security policy' })
      expect((await storage.as(who).updateBucket('vault', { public: true })).error).toMatchObject({
        status: 404,
      })
      expect((await storage.as(who).deleteBucket('vault')).error).toMatchObject({ status: 404 })
    }
  })

  it('are deleted only when they are empty, and can be emptied', async () => {
    await service().createBucket('full', { public: false })
    await service().from('full').upload('a/b.txt', 'text')
    const refused = await service().deleteBucket('full')
    expect(refused.error).toMatchObject({
      status: 409,
      statusCode: '409',
      message: 'The bucket you tried to delete is not empty',
    })
    expect((await storage.as('member').emptyBucket('full')).error).toMatchObject({ status: 404 })
    expect((await service().emptyBucket('full')).error).toBeNull()
    expect(await storage.storedKeys()).toEqual([])
    expect((await service().deleteBucket('full')).error).toBeNull()
  })

  it.each([
    [0, 0],
    ['3B', 3],
    ['1.5mb', 1_500_000],
    ['2 GB', 2_000_000_000],
  ])('understand a limit of %j', async (fileSizeLimit, bytes) => {
    await service().updateBucket('vault', { public: false, fileSizeLimit })
    expect((await service().getBucket('vault')).data?.file_size_limit).toBe(bytes)
  })

  it('take a name once', async () => {
    const { error } = await service().createBucket('images', { public: true })
    expect(error).toMatchObject({ status: 409, message: 'The resource already exists' })
  })

  it.each([[''], [' images'], ['a/b'], ['a\\b'], ['..'], ['x'.repeat(101)], ['a\u0000b'], ['\ud800']])(
    'refuse the name %j',
    async (name) => {
      const response = await storage.request('/bucket', {
        who: 'service',
        method: 'POST',
        body: JSON.stringify({ name }),
      })
      expect([response.status, await response.json()]).toMatchObject([400, { code: 'InvalidBucketName' }])
    },
  )

  it.each([
    ['{', 'The body is not JSON'],
    ['[]', 'body'],
    ['{"name": 7}', 'name'],
    ['{"name": "x", "public": "yes"}', 'public'],
    ['{"name": "x", "file_size_limit": "much"}', 'Invalid file size format'],
    ['{"name": "x", "file_size_limit": -1}', 'Invalid file size format'],
    ['{"name": "x", "allowed_mime_types": ["image"]}', 'allowed_mime_types'],
    ['{"name": "x", "versioning_status": "ENABLED"}', 'versioning_status'],
  ])('refuse %s with a word about it', async (body, word) => {
    const response = await storage.request('/bucket', { who: 'service', method: 'POST', body })
    expect([response.status, (await response.json()).message]).toEqual([400, expect.stringContaining(word)])
  })
})
