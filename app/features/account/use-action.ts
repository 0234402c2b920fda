import { type SubmitEvent, useState } from 'react'
import { kindWords } from './kind-words.ts'
import { withStepUp } from './second-step/request-step-up.ts'

/** One thing at a time that a person has asked for, and what went wrong with it in plain words. */
export interface Action {
  failure: string
  isBusy: boolean
  /** Does the work. What it throws becomes `failure`; true when nothing went wrong. */
  run(work: () => Promise<unknown>): Promise<boolean>
  /** The same for a form, with its fields. */
  onSubmit(work: (fields: FormData) => Promise<unknown>): (event: SubmitEvent<HTMLFormElement>) => void
}

export function useAction(): Action {
  const [failure, setFailure] = useState('')
  const [isBusy, setBusy] = useState(false)

  const run = async (work: () => Promise<unknown>) => {
    if (isBusy) return false
    setBusy(true)
    setFailure('')
    try {
      await withStepUp(work)
      return true
    } catch (error) {
      setFailure(kindWords(error))
      return false
    } finally {
      setBusy(false)
    }
  }
  return {
    failure,
    isBusy,
    run,
    onSubmit: (work) => (event) => {
      event.preventDefault()
      const fields = new FormData(event.currentTarget)
      void run(() => work(fields))
    },
  }
}
