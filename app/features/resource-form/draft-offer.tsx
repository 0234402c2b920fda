import { Banner } from '#app/ui/banner.tsx'
import { Button } from '#app/ui/button.tsx'
import type { Draft } from '#domain/resource-form/draft.ts'

interface DraftOfferProps {
  draft: Draft
  onRestore(): void
  onDiscard(): void
}

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** Offers what was typed on an earlier visit and never saved. */
export const DraftOffer = ({ draft, onRestore, onDiscard }: DraftOfferProps) => (
  <Banner tone="note">
    <p role="status">
      You have unsaved changes from {moment.format(draft.savedAt)}
      {draft.fields.title.trim() && `: “${draft.fields.title.trim()}”`}.
      {draft.withoutArticle && ' The text of the article was too long to be kept.'}
    </p>
    <div className="flex flex-wrap gap-3">
      <Button onClick={onRestore}>Restore</Button>
      <Button look="secondary" onClick={onDiscard}>
        Discard
      </Button>
    </div>
  </Banner>
)
