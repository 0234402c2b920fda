import type { Page } from '#tests/support/site.ts'

/** What a reader sees of a listing, found by role and name. */
export const cards = (page: Page) => page.getByRole('region', { name: 'Results' }).getByRole('article')
export const count = (page: Page) => page.getByRole('status').filter({ hasText: /found$/ })
export const search = (page: Page) => page.getByRole('searchbox')
export const pages = (page: Page) => page.getByRole('navigation', { name: 'Pages' })
export const filter = (page: Page) => page.getByRole('button', { name: /^Filter/ })
export const popup = (page: Page) => page.getByRole('dialog', { name: 'Filter' })

/** As people open it; `openAlive` waits until it answers to the keyboard and the mouse. */
export const open = (page: Page, address: string) => page.goto(address)
