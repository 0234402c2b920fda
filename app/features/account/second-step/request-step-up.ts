/** Somebody waits for the second factor before what they asked for is done. */
export interface StepUpRequest {
  /** Whether it was given. */
  answer(isGiven: boolean): void
}

type Listener = (request: StepUpRequest) => Promise<void> | void

let listener: Listener | undefined

/** Registers the page's dialog; returns a function that takes it away. */
export function onStepUp(next: Listener): () => void {
  listener = next
  return () => {
    if (listener === next) listener = undefined
  }
}

/** Asks for the second factor. False when it was not given, and where no page asks for it. */
const requestStepUp = (): Promise<boolean> =>
  new Promise((resolve) => {
    if (listener) void listener({ answer: resolve })
    else resolve(false)
  })

/** Does the work, and once more after the second factor when the service wants that first. Errors: those of the work. */
export async function withStepUp(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!isInsufficient(error) || !(await requestStepUp())) throw error
    await work()
  }
}

const isInsufficient = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'insufficient_aal'
