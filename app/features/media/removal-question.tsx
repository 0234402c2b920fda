import type { MediaUse } from '#app/session/client/media-uses.ts'

interface Props {
  noun: string
  /** Undefined when it could not be found out. */
  uses: MediaUse[] | undefined
  isChosen: boolean
}

/** What somebody should know before a file is removed for good: where it is used. */
export const RemovalQuestion = ({ noun, uses, isChosen }: Props) => (
  <>
    <UsedBy noun={noun} uses={uses} />
    {isChosen && <p>This form uses it too: its field will be empty.</p>}
    <p>A removed {noun} cannot be brought back.</p>
  </>
)

function UsedBy({ noun, uses }: Omit<Props, 'isChosen'>) {
  if (!uses) return <p>Whether a resource uses this {noun} could not be found out.</p>
  if (uses.length === 0) return <p>No resource uses this {noun}.</p>
  return (
    <>
      <p>This {noun} is used here, and will be missing there:</p>
      <ul className="max-h-48 list-disc space-y-1 overflow-y-auto ps-5">
        {uses.map(({ id, title, isDeleted }) => (
          <li key={id}>
            {isDeleted ? (
              `${title} (deleted, can be restored from your dashboard)`
            ) : (
              <a
                href={`/resource/${id}`}
                target="_blank"
                rel="noreferrer"
                className="text-accent underline underline-offset-4"
              >
                {title}
              </a>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
