import { Eye, EyeOff } from 'lucide'
import { type ComponentProps, useState } from 'react'
import { Field } from '#app/ui/field.tsx'
import { Icon } from '#app/ui/icon.tsx'

/** A password, hidden unless its writer wants to see it. Pasting works, and so do password managers. */
export function PasswordField(props: ComponentProps<typeof Field>) {
  const [shown, setShown] = useState(false)
  return (
    <Field
      {...props}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      className="pe-13"
      end={
        <button
          type="button"
          aria-label="Show password"
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
          className="grid size-11 cursor-pointer place-items-center rounded-full text-muted hover:text-accent noscript:hidden"
        >
          <Icon icon={shown ? EyeOff : Eye} className="size-5" />
        </button>
      }
    />
  )
}
