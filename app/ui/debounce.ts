import { useEffect, useMemo, useRef } from 'react'

/** A function that waits until it has not been called for a while; only the last call counts. */
export interface Debounced<Args extends unknown[]> {
  (...args: Args): void
  /** Forgets the call that waits. */
  cancel(): void
  /** Whether a call waits. */
  isWaiting(): boolean
}

/** Makes one of `run`. @param pauseMs how long it waits */
export function debounce<Args extends unknown[]>(
  run: (...args: Args) => void,
  pauseMs: number,
): Debounced<Args> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const cancel = () => {
    clearTimeout(timer)
    timer = undefined
  }
  const call = (...args: Args) => {
    cancel()
    timer = setTimeout(() => {
      timer = undefined
      run(...args)
    }, pauseMs)
  }
  return Object.assign(call, { cancel, isWaiting: () => timer !== undefined })
}

/** The same for a component: it runs what was rendered last, and nothing once the component is gone. */
export function useDebounce<Args extends unknown[]>(run: (...args: Args) => void, pauseMs: number) {
  const latest = useRef(run)
  const debounced = useMemo(() => debounce<Args>((...args) => latest.current(...args), pauseMs), [pauseMs])
  useEffect(() => {
    latest.current = run
  })
  useEffect(() => debounced.cancel, [debounced])
  return debounced
}
