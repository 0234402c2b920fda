import { useEffect, useEffectEvent, useState } from 'react'
import { shownAddress } from '#domain/media/rules.ts'
import { MediaField, type MediaFieldProps } from './media-field.tsx'

/** Nobody types an address with pauses longer than this. */
const TYPING_MS = 800

interface AudioFieldProps extends MediaFieldProps {
  /** Comes with the length of a recording, in whole seconds, when another one was chosen here and it could be read. */
  onDuration(seconds: number): void
}

/** The field "Audio URL" of a form, with upload, drop and picker, and the recording's length. */
export function AudioField({ onDuration, ...field }: AudioFieldProps) {
  const { value, session, onChange } = field
  // Only what is chosen here is measured: a value that the form brings comes with its own duration.
  const [chosen, setChosen] = useState('')
  const tell = useEffectEvent(onDuration)

  useEffect(() => {
    if (!chosen) return
    let isCurrent = true
    const timer = setTimeout(() => {
      readDuration(chosen).then(
        (seconds) => isCurrent && tell(seconds),
        (cause: unknown) => console.warn('The duration stays as it was.', cause),
      )
    }, TYPING_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [chosen])

  const address = shownAddress(value, session.settings)
  const change = (next: string) => {
    onChange(next)
    setChosen(shownAddress(next, session.settings))
  }
  return (
    <MediaField {...field} kind="audio" onChange={change}>
      {value && (
        // biome-ignore lint/a11y/useMediaCaption: a recording has no captions; its page describes it
        <audio
          src={address}
          controls
          preload="none"
          aria-label="The recording as it is chosen now"
          className="mt-3 w-full"
        />
      )}
    </MediaField>
  )
}

/** A recording that gives nothing for so long gives nothing at all. */
const PATIENCE_MS = 30_000

/** Farther than any recording lasts; a browser that does not know the length finds the end on the way there. */
const BEYOND = 1e7

/**
 * The length of a recording in whole seconds, as a media element reads it from its metadata (specification, section 7).
 * Rejects when the browser cannot play it or no length is to be had.
 */
const readDuration = (address: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const audio = new Audio()
    const end = (settle: () => void) => {
      clearTimeout(timer)
      audio.onloadedmetadata = audio.ondurationchange = audio.onerror = null
      audio.removeAttribute('src')
      audio.load()
      settle()
    }
    const fail = () => end(() => reject(new Error('The length of this recording cannot be read.')))
    const timer = setTimeout(fail, PATIENCE_MS)
    const look = () => {
      const { duration } = audio
      if (Number.isFinite(duration)) end(() => resolve(Math.round(duration)))
    }
    audio.onerror = fail
    audio.ondurationchange = look
    audio.onloadedmetadata = () => {
      if (audio.duration === Number.POSITIVE_INFINITY) audio.currentTime = BEYOND
    }
    audio.preload = 'metadata'
    audio.src = address
  })
