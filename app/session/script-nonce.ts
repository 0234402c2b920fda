import { createContext } from 'react'

/**
 * Marks our own inline scripts while the server renders a page; undefined in the browser, which must never learn it:
 * a script with this mark gets into the page's security policy.
 */
export const ScriptNonce = createContext<string | undefined>(undefined)
