import { type ReactNode, useId } from 'react'
import { Button } from './button.tsx'
import { ModalDialog } from './modal-dialog.tsx'
import { useAnswer } from './use-answer.ts'

/**
 * Says something that must be read before going on; `show` waits until it was. The second part is the dialog, to be
 * rendered anywhere.
 */
export function useAlert(): [show: (message: ReactNode) => Promise<void>, dialog: ReactNode] {
  const { ask, question, answer } = useAnswer<ReactNode, void>(undefined)
  return [ask, question && <AlertDialog message={question} onClosed={() => answer()} />]
}

function AlertDialog({ message, onClosed }: { message: ReactNode; onClosed(): void }) {
  const id = useId()
  return (
    <ModalDialog isAlert labelledBy={id} onClosed={onClosed}>
      {(close) => (
        <>
          <div id={id} className="text-lg">
            {message}
          </div>
          <Button className="mt-6" onClick={close}>
            OK
          </Button>
        </>
      )}
    </ModalDialog>
  )
}
