import { type RefObject, useEffect, useRef } from 'react'

/** For the field of a form that has just appeared: it takes the focus. */
export function useFocus(): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return field
}
