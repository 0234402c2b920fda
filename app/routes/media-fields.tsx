import type { AudioFieldProps, MediaFieldProps } from '#app/features/resource-form/media-controls.tsx'

const Plain = ({ label, value, onChange, onBlur, error, required }: MediaFieldProps & { label: string }) => (
  <label className="block font-semibold">
    {label}
    <input
      type="url"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onBlur={onBlur}
      required={required}
      aria-invalid={Boolean(error)}
      className="block w-full border"
    />
    {error}
  </label>
)
export const ImageUrl = (props: MediaFieldProps) => <Plain {...props} label="Image URL" />
export const AudioUrl = (props: AudioFieldProps) => <Plain {...props} label="Audio URL" />
