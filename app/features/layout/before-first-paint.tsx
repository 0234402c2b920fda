import { useContext } from 'react'
import { sessionKeys } from '#app/session/current-user.tsx'
import { ScriptNonce } from '#app/session/site.ts'
import { preferenceKeys } from '#domain/preferences.ts'

// Tells the style sheet the stored theme and view mode, and whether there is a session, by data-theme, data-view and
// data-session on <html>, so that nothing flashes.
const code = `{const d=document.documentElement.dataset;try{\
const t=localStorage.getItem('${preferenceKeys.theme}');if(t==='light'||t==='dark')d.theme=t;\
if(localStorage.getItem('${preferenceKeys.view}')==='list')d.view='list';\
if(localStorage.getItem('${sessionKeys.session}'))d.session=''\
}catch{}}`

/** The few lines that run before anything is shown. */
export function BeforeFirstPaint() {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours, and the only way to write a script
  return <script nonce={useContext(ScriptNonce)} dangerouslySetInnerHTML={{ __html: code }} />
}
