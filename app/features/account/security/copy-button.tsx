import { Button } from '#app/ui/button.tsx'
import { toast } from '#app/ui/toast.tsx'

interface CopyButtonProps {
  text: string
  /** What it is, with a capital: "Key". */
  what: string
  className?: string
}

/** Puts a text onto the clipboard, where there is one. */
export function CopyButton({ text, what, className }: CopyButtonProps) {
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => toast(`${what} copied.`),
      () => toast('Your browser does not let us copy. Please select the text.'),
    )
  // Browsers have a clipboard on https and localhost only.
  if (!navigator.clipboard) return null
  return (
    <Button look="quiet" className={className} onClick={copy}>
      Copy
    </Button>
  )
}
