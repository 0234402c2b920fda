import { useEffect, useRef } from 'react'
import { useRevalidator } from 'react-router'
import { useCurrentUser } from '#app/session/current-user.ts'
import { startSession } from '#app/session/session.ts'
import { useSettings } from '#app/session/site.ts'

/** Finds out who reads the page. Pages come as visitors see them; whenever the reader changes they are asked for anew. */
export function SessionKeeper() {
  const settings = useSettings()
  const reader = useCurrentUser()
  const { revalidate } = useRevalidator()
  const id = reader.state === 'member' ? reader.member.id : undefined
  const shownTo = useRef<string | undefined>(undefined)

  useEffect(() => startSession(settings), [settings])
  useEffect(() => {
    if (reader.state === 'unknown' || shownTo.current === id) return
    shownTo.current = id
    revalidate()
  }, [reader.state, id, revalidate])
  return null
}
