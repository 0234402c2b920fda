import { chooseTheme, type Theme, themes, useTheme } from './theme.ts'

const labels: Readonly<Record<Theme, string>> = { light: 'Light', dark: 'Dark', system: 'System' }

/** Light, dark, or as the reader's device has it. Needs JavaScript, so it is not shown without. */
export function ThemeChoice() {
  const current = useTheme()
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
