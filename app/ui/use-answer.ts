import { useCallback, useEffect, useState } from 'react'

/** What stands on the screen until it is answered. */
interface Open<Question, Answer> {
  question: Question
  answer(answer: Answer): void
}

/**
 * For dialogs that are asked like functions: `ask` shows a question and waits. A question that is replaced by the next
 * one, or goes with its page, is answered by `otherwise`.
 */
export function useAnswer<Question, Answer>(otherwise: Answer) {
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
