import { useState } from 'react'
import { shownAddress, thumbnailAddress } from '#domain/media/address.ts'
import { MediaField, type MediaFieldProps } from './media-field.tsx'

/** The field "Image URL" of a form, with upload, drop and picker. */
export function ImageField(props: MediaFieldProps) {
  const { value, session } = props
  const [broken, setBroken] = useState('')
  return (
    <MediaField {...props} kind="image">
      {broken !== value && URL.canParse(shownAddress(value, session.settings)) && (
        <img
          src={thumbnailAddress(value, session.settings, 320)}
          alt="As it is chosen now"
          className="mt-3 h-28 w-auto max-w-full rounded-lg border border-line object-contain"
          onError={() => setBroken(value)}
        />
      )}
    </MediaField>
  )
}
