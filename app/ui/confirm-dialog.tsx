import { type ReactNode, useId, useRef } from 'react'
import { Button } from './button.tsx'
import { ModalDialog } from './modal-dialog.tsx'
import { useAnswer } from './use-answer.ts'

interface Question {
  title: string
  body: ReactNode
  /** What happens: "Delete", never "OK". */
  confirmLabel: string
  /** What happens otherwise, where "Cancel" could mean either. */
  cancelLabel?: string
  /** danger: something is lost, so that the focus starts on Cancel. */
  tone?: 'danger'
}

/**
 * Asks before something happens: `if (await ask({ … }))`. The second part is the dialog, to be rendered anywhere.
 * Cancel, Escape and leaving the page mean no.
 */
export function useConfirm(): [ask: (question: Question) => Promise<boolean>, dialog: ReactNode] {
  const { ask, question, answer } = useAnswer<Question, boolean>(false)
  return [ask, question && <ConfirmDialog {...question} onAnswer={answer} />]
}

function ConfirmDialog(props: Question & { onAnswer(yes: boolean): void }) {
  const { title, body, confirmLabel, cancelLabel = 'Cancel', tone, onAnswer } = props
  const id = useId()
  const isYes = useRef(false)
  const cancel = useRef<HTMLButtonElement>(null)
  const confirm = useRef<HTMLButtonElement>(null)
  return (
    <ModalDialog
      isAlert
      labelledBy={`${id}-title`}
      describedBy={`${id}-body`}
      focusFirst={tone === 'danger' ? cancel : confirm}
      onClosed={() => onAnswer(isYes.current)}
    >
      {(close) => (
        <>
          <h2 id={`${id}-title`} className="text-2xl">
            {title}
          </h2>
          <div id={`${id}-body`} className="mt-3 space-y-3 text-muted">
            {body}
          </div>
          <div className="mt-6 flex flex-wrap gap-3">
            <Button
              ref={confirm}
              className={tone === 'danger' ? 'border-warning bg-warning' : undefined}
              onClick={() => {
                isYes.current = true
                close()
              }}
            >
              {confirmLabel}
            </Button>
            <Button ref={cancel} look="secondary" onClick={close}>
              {cancelLabel}
            </Button>
          </div>
        </>
      )}
    </ModalDialog>
  )
}
