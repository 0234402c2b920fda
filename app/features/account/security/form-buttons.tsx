import { Button } from '#app/ui/button.tsx'

interface FormButtonsProps {
  isBusy: boolean
  label: string
  onCancel?: () => void
}

/** What ends a form: its own word, and the way out. */
export const FormButtons = ({ isBusy, label, onCancel }: FormButtonsProps) => (
  <div className="flex flex-wrap gap-3">
    <Button type="submit" look={onCancel ? 'primary' : 'secondary'} disabled={isBusy}>
      {isBusy ? 'Please wait...' : label}
    </Button>
    {onCancel && (
      <Button look="secondary" disabled={isBusy} onClick={onCancel}>
        Cancel
      </Button>
    )}
  </div>
)
