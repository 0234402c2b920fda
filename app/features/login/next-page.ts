/** The page of ours that `?next=` names; undefined for everything else, such as another site. */
export function nextPage(search: URLSearchParams): string | undefined {
  const wanted = search.get('next') ?? ''
  return /^\/(?![/\\])[\w\-/]*$/.test(wanted) ? wanted : undefined
}
