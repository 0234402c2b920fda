import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/** Makes a <details> behave as a menu: Escape, a press outside, and going to another page close it. */
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
    const onPointerDown = ({ target }: PointerEvent) => {
      if (menu.current?.open && !menu.current.contains(target as Node)) menu.current.open = false
    }
    document.addEventListener('keydown', onKeyDown)
    document.addEventListener('pointerdown', onPointerDown)
    return () => {
      document.removeEventListener('keydown', onKeyDown)
      document.removeEventListener('pointerdown', onPointerDown)
    }
  }, [])

  return menu
}
