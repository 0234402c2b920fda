import type { SubmitEvent } from 'react'
import { useRevalidator } from 'react-router'
import { toast } from '#app/ui/toast.tsx'
import { type Action, useAction } from '../use-action.ts'

export interface Change extends Action {
  /** Shows the account as it is now, and says what was done. */
  finish(said: string): Promise<void>
  /** Does the work, shows the account as it is then, and says what was done. */
  change(work: () => Promise<unknown>, said: string): Promise<boolean>
  /** The same for a form, with its fields. */
  onSubmitChange(
    work: (fields: FormData) => Promise<unknown>,
    said: string,
  ): (event: SubmitEvent<HTMLFormElement>) => void
}

/** Something that a member changes about how their account is entered. */
export function useChange(): Change {
  const action = useAction()
  const { revalidate } = useRevalidator()
  const finish = async (said: string) => {
    await revalidate()
    toast(said)
  }
  const change = (work: () => Promise<unknown>, said: string) =>
    action.run(async () => {
      await work()
      await finish(said)
    })
  return {
    ...action,
    finish,
    change,
    onSubmitChange: (work, said) =>
      action.onSubmit(async (fields) => {
        await work(fields)
        await finish(said)
      }),
  }
}
