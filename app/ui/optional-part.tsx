import { Component, type ReactNode } from 'react'
import { safeSessionStorage } from './store.ts'

interface OptionalPartProps {
  /** What stands in its place when it cannot be shown; nothing if left out. */
  otherwise?: ReactNode
  children: ReactNode
}

/** A part that its page can do without: code of it that does not load, or fails, costs this part and not the page. */
export class OptionalPart extends Component<OptionalPartProps, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError = () => ({ hasFailed: true })

  override componentDidCatch(error: unknown) {
    console.warn('A part of the page is left out', error)
  }

  override render() {
    const { otherwise = null, children } = this.props
    return this.state.hasFailed ? otherwise : children
  }
}

/**
 * A tab that was open before a new release asks for code that is gone. The page is loaded again then, once for each
 * address and tab: what was typed comes back as after any other reload. Code that only did not get through costs no more
 * than its part.
 */
export function reloadAfterRelease(): void {
  window.addEventListener('vite:preloadError', async () => {
    const mark = `reloaded:${location.pathname}`
    if (safeSessionStorage.get(mark) || !(await isReplaced())) return
    if (safeSessionStorage.set(mark, 'true')) location.reload()
  })
}

/** Whether the release that this tab came from is gone from the server, and its list of routes with it. */
async function isReplaced(): Promise<boolean> {
  // The router keeps it there; without it nobody can tell.
  const routes: { url: string } | undefined = Reflect.get(window, '__reactRouterManifest')
  if (!routes) return false
  try {
    return (await fetch(routes.url, { method: 'HEAD', cache: 'no-store' })).status === 404
  } catch {
    return false
  }
}
