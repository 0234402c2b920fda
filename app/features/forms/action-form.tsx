import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { data, useFetcher } from 'react-router'
import type * as z from 'zod/mini'
import { Button } from '#app/ui/button.tsx'
import { useFocusOnError } from '#app/ui/forms/field.tsx'
import { Banner } from '#app/ui/page.tsx'
import { errorMessage } from './error-messages.ts'

/*
 * How a form is written here. `formAction` joins a schema, which names the fields and has the words for what is wrong
 * with them, to the work that it asks for; a route's `clientAction` is `formActions` of all that its page can do;
 * `useActionForm` and `ActionForm` are the form on the page. The hidden field `intent` says which action is meant.
 */

/** What came of a form: what its work gave, or what is wrong, in words for whoever filled it in. */
type FormAnswer<Done = unknown> = { done: Done } | FormFailure

interface FormFailure {
  failure: string
  /** What is wrong with single fields, by their names. */
  errors: Readonly<Record<string, string>>
}

/** How the work of an action is run, for example once more after something that it lacks. */
type Run = <Result>(work: () => Promise<Result>) => Promise<Result>

type FormAction = (fields: FormData, run: Run) => Promise<FormAnswer>

/**
 * One thing that a form asks for. Fields that were not sent count as empty.
 * @param work gets what the schema has read; its result is `done`, what it throws becomes `failure`
 * @param say the words for what it throws
 */
export function formAction<Shape extends Readonly<Record<string, z.ZodMiniType<unknown, string>>>>(
  schema: z.ZodMiniObject<Shape>,
  work: (input: z.output<z.ZodMiniObject<Shape>>) => Promise<unknown>,
  say: (error: unknown) => string = errorMessage,
): FormAction {
  return async (fields, run) => {
    const sent = Object.keys(schema.shape).map((name) => [name, fields.get(name) ?? ''])
    const input = schema.safeParse(Object.fromEntries(sent))
    if (!input.success) return failureOf(input.error.issues)
    try {
      return { done: await run(() => work(input.data)) }
    } catch (error) {
      // A redirect is an answer too.
      if (error instanceof Response) throw error
      return { failure: say(error), errors: {} }
    }
  }
}

/** The first thing that is wrong is said above the form, the first of each field beside it. */
function failureOf(issues: readonly Pick<z.core.$ZodIssue, 'path' | 'message'>[]): FormFailure {
  const errors: Record<string, string> = {}
  for (const { path, message } of issues) errors[String(path[0])] ??= message
  return { failure: issues[0]?.message ?? '', errors }
}

const runOnce: Run = (work) => work()

type FormActions = Readonly<Record<string, FormAction>>

/**
 * A route's `clientAction`, of several forms. What failed asks for no new data (400).
 * @param load gives the actions of forms whose code comes later than their page
 */
export const formActions =
  (actions: FormActions, load?: () => Promise<FormActions>, run = runOnce) =>
  async ({ request }: { request: Request }) => {
    const fields = await request.formData()
    const intent = String(fields.get('intent'))
    const action = actions[intent] ?? (await load?.())?.[intent]
    if (!action) throw data(null, { status: 404 })
    const answer = await action(fields, run)
    return 'done' in answer ? answer : data(answer, { status: 400 })
  }

/** A form on the page, with what came of it. */
export interface ActionFormState extends FormFailure {
  Form: ReturnType<typeof useFetcher>['Form']
  intent: string
  isBusy: boolean
  /** The last answer; undefined while another is awaited. */
  answer: FormAnswer | undefined
  /** Sends it without a form. @param values instead of what the intent's form would hold */
  submit(values?: Readonly<Record<string, string>>): void
  /** Takes what was said off the page. */
  dismiss(): void
}

/**
 * The state of one form. @param onDone what follows when it worked, with what its action gave; by then the page shows
 * the data as they are now
 */
export function useActionForm<Done>(intent: string, onDone?: (done: Done) => void): ActionFormState {
  const fetcher = useFetcher<FormAnswer<Done>>()
  const [dismissed, setDismissed] = useState<unknown>()
  const isBusy = fetcher.state !== 'idle'
  const answer = isBusy || fetcher.data === dismissed ? undefined : fetcher.data
  const finish = useEffectEvent((done: Done) => onDone?.(done))
  useEffect(() => {
    if (answer && 'done' in answer) finish(answer.done)
  }, [answer])
  const { failure = '', errors = {} } = answer && 'failure' in answer ? answer : {}
  return {
    Form: fetcher.Form,
    intent,
    isBusy,
    answer,
    failure,
    errors,
    submit: (values) => void fetcher.submit({ intent, ...values }, { method: 'post' }),
    dismiss: () => setDismissed(fetcher.data),
  }
}

interface ActionFormProps {
  form: ActionFormState
  /** For what else has to reach the form. */
  ref?: RefObject<HTMLFormElement | null>
  className?: string
  /** What is wrong with a field is said beside it, and not above the form too. */
  saysBeside?: boolean
  onSubmit?: () => void
  children: ReactNode
}

/**
 * The form itself: what went wrong stands above its fields, and the focus goes to the first that is wrong. Our own words
 * take the place of the browser's bubbles. POST, so that nothing typed can end up in an address.
 */
export function ActionForm(props: ActionFormProps) {
  const { form, ref, className = 'space-y-5', saysBeside, onSubmit, children } = props
  const own = useRef<HTMLFormElement>(null)
  const place = ref ?? own
  useFocusOnError(place, form.answer)
  const isAbove = form.failure && !(saysBeside && Object.keys(form.errors).length > 0)
  return (
    <form.Form ref={place} method="post" noValidate onSubmit={onSubmit} className={className}>
      <input type="hidden" name="intent" value={form.intent} />
      {isAbove && <Banner tone="error">{form.failure}</Banner>}
      {children}
    </form.Form>
  )
}

interface FormButtonsProps {
  isBusy: boolean
  label: string
  onCancel?: () => void
}

/** What ends a form: its own word, and the way out. While it works it says so (specification, section 2). */
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

interface SubmitButtonProps {
  isBusy: boolean
  isDisabled?: boolean
  children: string
}

/** The button of a form that fills its column. */
export const SubmitButton = ({ isBusy, isDisabled, children }: SubmitButtonProps) => (
  <Button type="submit" disabled={isBusy || isDisabled} className="min-h-12 w-full">
    {isBusy ? 'Please wait...' : children}
  </Button>
)
