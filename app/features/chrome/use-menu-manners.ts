import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/** Makes a <details> behave as a menu: Escape, leaving it by press or Tab, and going to another page close it. */
export function useMenuManners() {
  const menu = useRef<HTMLDetailsElement>(null)
  const { key } = useLocation()
  const shown = useRef(key)

  useEffect(() => {
    // Somebody may have opened it before the page woke up: only a move to another page closes it.
    if (shown.current !== key && menu.current) menu.current.open = false
    shown.current = key
  }, [key])

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !menu.current?.open) return
      menu.current.open = false
      menu.current.querySelector('summary')?.focus()
    }
    const onLeave = ({ target }: Event) => {
      if (menu.current?.open && !menu.current.contains(target as Node)) menu.current.open = false
    }
    const listening = new AbortController()
    const { signal } = listening
    document.addEventListener('keydown', onKeyDown, { signal })
    document.addEventListener('pointerdown', onLeave, { signal })
    document.addEventListener('focusin', onLeave, { signal })
    return () => listening.abort()
  }, [])

  return menu
}
