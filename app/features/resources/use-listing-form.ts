import { type ChangeEvent, type RefObject, type SubmitEvent, useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { useDebounce } from '#app/ui/debounce.ts'
import { type ListingQuery, listingSearch, parseListing } from '#domain/listing.ts'
import { pageSizeFrom } from '#domain/preferences.ts'
import { saveSize } from './listing-preferences.ts'

/** How long a reader may pause while typing before the search begins (specification, section 9). */
const SEARCH_DELAY_MS = 300

/** The listing's form: its fields are the one source of the next address, so no change can undo another. */
export interface ListingForm {
  form: RefObject<HTMLFormElement | null>
  /** For every field, also those outside of the form's element. */
  onChange(event: ChangeEvent<HTMLElement>): void
  onSubmit(event: SubmitEvent<HTMLFormElement>): void
}

/**
 * Turns changes of the form into addresses: a search after a pause and in place of the history entry, anything else at
 * once. The page is no field, so every change goes back to page 1. Without JavaScript the form is an ordinary one.
 */
export function useListingForm(query: ListingQuery): ListingForm {
  const form = useRef<HTMLFormElement>(null)
  const navigate = useNavigate()
  const address = listingSearch(query)

  const show = (replace: boolean) => {
    search.cancel()
    if (!form.current) return
    navigate({ search: listingSearch(readForm(form.current, query)) }, { replace, preventScrollReset: true })
  }

  const search = useDebounce(() => show(true), SEARCH_DELAY_MS)

  // Back, forward and links change the address too; the fields follow, except for words that are being typed.
  useEffect(() => {
    if (form.current) fillForm(form.current, parseListing(new URLSearchParams(address)), search.isWaiting())
  }, [address, search])

  return {
    form,
    onChange({ target }) {
      if (!isField(target)) return
      if (target.name === 'size') saveSize(pageSizeFrom(target.value))
      if (target.name !== 'q') return show(false)
      search()
    },
    onSubmit(event) {
      event.preventDefault()
      show(true)
    },
  }
}

const isField = (target: EventTarget): target is HTMLInputElement | HTMLSelectElement =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement

function readForm(form: HTMLFormElement, { category }: ListingQuery): ListingQuery {
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)])
  return parseListing(new URLSearchParams(fields), category)
}

function fillForm(form: HTMLFormElement, query: ListingQuery, isTyping: boolean): void {
  const { q, grade, gender, location, size } = query
  const values: Record<string, unknown> = { q, grade, gender, location, size }
  for (const field of form.elements) {
    if (!isField(field) || !(field.name in values)) continue
    const value = String(values[field.name] ?? '')
    if (field.type === 'radio' && field instanceof HTMLInputElement) field.checked = field.value === value
    // Words that are being typed stay, and a trailing space belongs to the word that comes next.
    else if (field.name !== 'q' || !(isTyping || field.value.trim() === value)) field.value = value
  }
}
