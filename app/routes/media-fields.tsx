import { useMemo } from 'react'
import { AudioField } from '#app/features/media/audio-field.tsx'
import { ImageField } from '#app/features/media/image-field.tsx'
import type { AudioFieldProps, MediaFieldProps } from '#app/features/resource-form/media-controls.tsx'
import { mediaAccess } from '#app/session/member/media-access.ts'
import { useSettings } from '#app/session/use-settings.ts'

const useMediaAccess = () => {
  const settings = useSettings()
  return useMemo(() => mediaAccess(settings), [settings])
}

/** The form's field for a picture, with the storage behind it. */
export const ImageUrl = (props: MediaFieldProps) => <ImageField {...props} session={useMediaAccess()} />

/** The form's field for a recording, with the storage behind it. */
export const AudioUrl = (props: AudioFieldProps) => <AudioField {...props} session={useMediaAccess()} />
