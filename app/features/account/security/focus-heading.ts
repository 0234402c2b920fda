/** Where the focus goes when what had it is gone: to the heading of its section. */
export const focusHeading = (inside: Element | null): void =>
  inside?.closest('section')?.querySelector('h2')?.focus()
