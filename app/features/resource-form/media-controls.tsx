import type { ReactNode } from 'react'
import { TextControl } from './text-control.tsx'
import type { ResourceFormApi } from './use-resource-form.ts'

/** What a field for an address in the storage is given; it labels itself. */
interface MediaFieldProps {
  value: string
  onChange(value: string): void
  error?: string
  onBlur?(): void
  required?: boolean
  /** An upload has begun, or is over. */
  onBusy?(isBusy: boolean): void
}

interface AudioFieldProps extends MediaFieldProps {
  /** The length of the recording, as soon as it is known. */
  onDuration(seconds: number): void
}

/** Fields that know the storage, from another feature. */
export interface MediaSlots {
  imageField(props: MediaFieldProps): ReactNode
  audioField(props: AudioFieldProps): ReactNode
}

/** The recording of a podcast, and the picture with its words. */
export function MediaControls({ form, imageField, audioField }: MediaSlots & { form: ResourceFormApi }) {
  const { category } = form.fields
  const common = (name: 'image_url' | 'audioUrl') => ({
    value: form.fields[name],
    onChange: (address: string) => form.set({ [name]: address }),
    onBlur: () => form.leave(name),
    onBusy: (isBusy: boolean) => form.setUploading(name, isBusy),
    ...(form.problems[name] && { error: form.problems[name] }),
  })
  return (
    <>
      {category === 'podcast' &&
        audioField({
          ...common('audioUrl'),
          required: true,
          onDuration: (seconds) => form.set({ duration: String(Math.round(seconds)) }),
        })}
      {imageField({ ...common('image_url'), required: category === 'reading' })}
      <TextControl
        form={form}
        name="image_alt"
        label="Alt text"
        autoComplete="off"
        hint="What the picture shows, for those who cannot see it. Empty if it only decorates."
      />
    </>
  )
}
