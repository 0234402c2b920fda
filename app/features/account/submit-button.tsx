import { Button } from '#app/ui/button.tsx'

/** The button of a form that fills its column; while it works it says so (specification, section 2). */
export const SubmitButton = ({ isBusy, children }: { isBusy: boolean; children: string }) => (
  <Button type="submit" disabled={isBusy} className="min-h-12 w-full">
    {isBusy ? 'Please wait...' : children}
  </Button>
)
