import { useContext, useEffect } from 'react'
import { sessionKeys } from '#app/session/current-user.tsx'
import { ScriptNonce } from '#app/session/site.ts'
import { createStore, safeLocalStorage, useStore } from '#app/ui/store.ts'
import { preferenceKeys } from '#domain/preferences.ts'

const themes = ['light', 'dark', 'system'] as const
type Theme = (typeof themes)[number]

const labels: Readonly<Record<Theme, string>> = { light: 'Light', dark: 'Dark', system: 'System' }

/** Light, dark, or as the reader's device has it. Needs JavaScript, so it is not shown without. */
export function ThemeChoice() {
  const current = useStore(shownTheme)
  useEffect(followOtherTabs, [])
  return (
    <fieldset className="noscript:hidden">
      <legend className="sr-only">Colors</legend>
      <div className="flex rounded-full border border-edge p-0.5">
        {themes.map((theme) => (
          <label
            key={theme}
            className="relative inline-flex min-h-11 cursor-pointer items-center rounded-full px-4 text-sm text-muted transition-colors hover:text-accent has-checked:bg-ink has-checked:text-paper forced-colors:has-checked:underline has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name="theme"
              value={theme}
              checked={theme === current}
              onChange={() => chooseTheme(theme)}
              className="absolute inset-0 cursor-pointer appearance-none rounded-full focus-visible:outline-none"
            />
            {labels[theme]}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** A stored theme, or `system` when it is none. */
const themeFrom = (stored: unknown): Theme => themes.find((theme) => theme === stored) ?? 'system'

/** What the lines before the first paint have put on <html>. */
const shownTheme = createStore<Theme>('system', () => themeFrom(document.documentElement.dataset.theme))

function show(theme: Theme) {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset.theme
  else dataset.theme = theme
  shownTheme.set(theme)
}

/** Shows a theme at once, and remembers it for the next visit where the browser lets us. */
function chooseTheme(theme: Theme) {
  show(theme)
  if (theme === 'system') safeLocalStorage.remove(preferenceKeys.theme)
  else safeLocalStorage.set(preferenceKeys.theme, theme)
}

function followOtherTabs() {
  const follow = ({ key, newValue }: StorageEvent) => {
    if (key === preferenceKeys.theme) show(themeFrom(newValue))
  }
  window.addEventListener('storage', follow)
  return () => window.removeEventListener('storage', follow)
}

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
