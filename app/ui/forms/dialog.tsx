import './dialog.css'
import { type ReactNode, type RefObject, useCallback, useEffect, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Button, classes } from '../button.tsx'

interface DialogProps {
  /** The id of its heading, or of its words where they are all there is. */
  labelledBy: string
  describedBy?: string
  /** Comes after the dialog has closed, by `close` or by Escape, and the focus is back where it was. */
  onClosed(): void
  /** What asks for an answer before anything else can be done. */
  isAlert?: boolean
  /** Takes the focus when the dialog opens; otherwise the first thing in it that can. */
  focusFirst?: RefObject<HTMLElement | null>
  className?: string
  /** Gets a function that closes the dialog. */
  children: (close: () => void) => ReactNode
}

/**
 * A dialog that is open as long as it is rendered, over the page and outside any form it belongs to. The platform keeps
 * the focus within, closes on Escape and gives the focus back.
 */
export function Dialog(props: DialogProps) {
  const { labelledBy, describedBy, onClosed, isAlert, focusFirst, className, children } = props
  const dialog = useRef<HTMLDialogElement>(null)

  useEffect(() => {
    if (dialog.current?.open) return
    dialog.current?.showModal()
    focusFirst?.current?.focus()
  }, [focusFirst])

  return createPortal(
    <dialog
      ref={dialog}
      role={isAlert ? 'alertdialog' : undefined}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      // React lets it rise to the dialog that a question was asked in.
      onClose={({ target, currentTarget }) => target === currentTarget && onClosed()}
      className={classes('dialog', className)}
    >
      {children(() => dialog.current?.close())}
    </dialog>,
    document.body,
  )
}

/** What stands on the screen until it is answered. */
interface Open<Question, Answer> {
  question: Question
  answer(answer: Answer): void
}

/**
 * For dialogs that are asked like functions: `ask` shows a question and waits. A question that is replaced by the next
 * one, or goes with its page, is answered by `otherwise`.
 */
export function usePromiseDialog<Question, Answer>(otherwise: Answer) {
  const [open, setOpen] = useState<Open<Question, Answer>>()
  useEffect(() => () => open?.answer(otherwise), [open, otherwise])

  const ask = useCallback(
    (question: Question) =>
      new Promise<Answer>((resolve) => {
        setOpen({ question, answer: resolve })
      }),
    [],
  )
  const answer = (given: Answer) => {
    open?.answer(given)
    setOpen(undefined)
  }
  return { ask, question: open?.question, answer }
}

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
  const { ask, question, answer } = usePromiseDialog<Question, boolean>(false)
  return [ask, question && <ConfirmDialog {...question} onAnswer={answer} />]
}

function ConfirmDialog(props: Question & { onAnswer(yes: boolean): void }) {
  const { title, body, confirmLabel, cancelLabel = 'Cancel', tone, onAnswer } = props
  const id = useId()
  const isYes = useRef(false)
  const cancel = useRef<HTMLButtonElement>(null)
  const confirm = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
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
    </Dialog>
  )
}

/**
 * Says something that must be read before going on; `show` waits until it was. The second part is the dialog, to be
 * rendered anywhere.
 */
export function useAlert(): [show: (message: ReactNode) => Promise<void>, dialog: ReactNode] {
  const { ask, question, answer } = usePromiseDialog<ReactNode, void>(undefined)
  return [ask, question && <AlertDialog message={question} onClosed={() => answer()} />]
}

function AlertDialog({ message, onClosed }: { message: ReactNode; onClosed(): void }) {
  const id = useId()
  return (
    <Dialog isAlert labelledBy={id} onClosed={onClosed}>
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
    </Dialog>
  )
}
