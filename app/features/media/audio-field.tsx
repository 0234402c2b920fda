import { useEffect, useEffectEvent, useState } from 'react'
import { shownAddress } from '#domain/media/address.ts'
import { MediaField, type MediaFieldProps } from './media-field.tsx'
import { readDuration } from './read-duration.ts'

/** Nobody types an address with pauses longer than this. */
const TYPING_MS = 800

interface Props extends MediaFieldProps {
  /** Comes with the length of a recording, in whole seconds, when another one was chosen here and it could be read. */
  onDuration(seconds: number): void
}

/** The field "Audio URL" of a form, with upload, drop and picker, and the recording's length. */
export function AudioField({ onDuration, ...field }: Props) {
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
