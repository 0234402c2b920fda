import type { ChangeEvent } from 'react'
import { buttonClass } from '#app/ui/button.tsx'
import { type PageSize, pageSizes } from '#domain/preferences.ts'

interface PageSizeSelectProps {
  size: PageSize
  /** The id of the listing's form, which stands further up the page. */
  form: string
  onChange(event: ChangeEvent<HTMLElement>): void
}

/** How many resources a page shows. */
export function PageSizeSelect({ size, form, onChange }: PageSizeSelectProps) {
  return (
    <div className="ms-auto flex items-center gap-3">
      <label className="flex items-center gap-3 text-base text-muted">
        Per page
        <select
          name="size"
          form={form}
          defaultValue={size}
          onChange={onChange}
          className="h-11 rounded-lg border border-edge bg-surface px-3 text-ink"
        >
          {pageSizes.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      </label>
      <noscript>
        <button type="submit" form={form} className={buttonClass('secondary')}>
          Apply
        </button>
      </noscript>
    </div>
  )
}
