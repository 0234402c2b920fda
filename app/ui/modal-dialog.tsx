import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { classes } from './classes.ts'
import './dialog.css'

interface Props {
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
export function ModalDialog(props: Props) {
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
