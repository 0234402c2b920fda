import { z } from 'zod'

const UNITS = { '': 1, b: 1, kb: 1000, mb: 1000 ** 2, gb: 1000 ** 3 } as const

/** A number of bytes, or a text such as `20MB`. The units are powers of ten, as on a hosted project. */
const FileSize = z.union([z.number(), z.string()]).transform((size, check) => {
  const [, number, unit = ''] = /^(\d{1,15}(?:\.\d{1,6})?)\s*(b|kb|mb|gb)?$/i.exec(String(size)) ?? []
  const bytes = Math.floor(Number(number) * UNITS[unit.toLowerCase() as keyof typeof UNITS])
  if (Number.isSafeInteger(bytes)) return bytes
  check.addIssue({ code: 'custom', message: 'Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B' })
  return z.NEVER
})

const MimePattern = z
  .string()
  .max(255)
  .regex(/^(\*|[\w!#$&^.+-]+\/(\*|[\w!#$&^.+-]+))$/, 'is not a type such as image/png or image/*')

/** What a body says about a bucket. Versions of objects are not kept here, and saying otherwise is refused. */
export const BucketSettings = z.object({
  public: z.boolean().optional(),
  file_size_limit: FileSize.nullish(),
  allowed_mime_types: z.array(MimePattern).max(100).nullish(),
  type: z.literal('STANDARD').nullish(),
  versioning_status: z.literal('DISABLED').nullish(),
})
