import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/** Whether the page's script has taken over: until then, and without JavaScript, what needs it cannot work. */
export const useAwake = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
