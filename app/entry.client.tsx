import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { takeAuthCallback } from './session/auth-callback.ts'
import { reloadAfterRelease } from './ui/optional-part.tsx'

takeAuthCallback()
reloadAfterRelease()

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  )
})

// Measuring waits until there is nothing left to measure it against; the observers look back.
const afterLoad = () => setTimeout(async () => (await import('./features/vitals/watch.ts')).watchVitals(), 0)
if (document.readyState === 'complete') afterLoad()
else window.addEventListener('load', afterLoad, { once: true })
