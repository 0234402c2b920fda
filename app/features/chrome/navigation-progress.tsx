import { useNavigation } from 'react-router'

/** A thin line under the header while the next page is on its way, after a moment in which most pages have come. */
export function NavigationProgress() {
  const { state } = useNavigation()
  if (state === 'idle') return null
  return (
    <div aria-hidden="true" className="navigation-progress absolute inset-x-0 -bottom-px h-0.5 bg-brand" />
  )
}
