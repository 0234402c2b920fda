import { bytesLabel } from './bytes.ts'
import type { BucketUsage } from './read-dashboard.ts'

const names: Readonly<Record<string, string>> = { images: 'Pictures', audio: 'Recordings' }

/** How much the files take, bucket by bucket. @param usage null when it could not be loaded */
export const StorageInUse = ({ usage }: { usage: readonly BucketUsage[] | null }) => (
  <section aria-labelledby="storage-in-use">
    <h2 id="storage-in-use" className="text-2xl">
      Storage in use
    </h2>
    {usage === null && <p className="mt-3 text-muted">This could not be loaded. Please reload the page.</p>}
    {usage?.length === 0 && <p className="mt-3 text-muted">There are no pictures and no recordings yet.</p>}
    <dl className="mt-3 divide-y divide-line tabular-nums">
      {usage?.map(({ bucket, files, bytes }) => (
        <div key={bucket} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2.5">
          <dt className="font-semibold">{names[bucket] ?? bucket}</dt>
          <dd>
            {bytesLabel(bytes)}
            <span className="text-muted">
              {' '}
              in {files === 1 ? '1 file' : `${files.toLocaleString('en')} files`}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  </section>
)
