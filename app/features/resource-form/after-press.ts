let isDown = false

const follow = (event: string, down: boolean) =>
  addEventListener(
    event,
    () => {
      isDown = down
    },
    { capture: true, passive: true },
  )

if (typeof window !== 'undefined') {
  follow('pointerdown', true)
  follow('pointerup', false)
  follow('pointercancel', false)
}

/**
 * Runs at once, or when the finger or mouse button that is down has been lifted and its click has arrived: what appears
 * while a button is pressed can move it away from under the pointer, and then it was never clicked.
 */
export function afterPress(run: () => void): void {
  if (isDown) addEventListener('pointerup', () => setTimeout(run), { once: true })
  else run()
}
