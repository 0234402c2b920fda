import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import { navigation } from '#domain/category.ts'
import { useMenuManners } from './use-menu-manners.ts'

/** The menu of narrow screens: <details>, so that it opens without JavaScript too, with the manners of a menu on top. */
export function MobileMenu({ account }: { account: ReactNode }) {
  const menu = useMenuManners()
  return (
    <details ref={menu} className="group/menu lg:hidden">
      <summary className="inline-flex min-h-11 cursor-pointer list-none items-center gap-2 rounded-full border border-edge px-4 text-base font-semibold select-none hover:border-accent hover:text-accent [&::-webkit-details-marker]:hidden">
        <svg viewBox="0 0 20 20" aria-hidden="true" className="size-5 stroke-current stroke-2">
          <path className="group-open/menu:hidden" d="M2 5h16M2 10h16M2 15h16" strokeLinecap="round" />
          <path className="hidden group-open/menu:inline" d="M4 4l12 12M16 4L4 16" strokeLinecap="round" />
        </svg>
        Menu
      </summary>
      <nav
        aria-label="Main"
        className="absolute inset-x-0 top-full max-h-[calc(100dvh-5rem)] overflow-y-auto overscroll-contain border-y border-line bg-paper px-5 pt-2 pb-8 shadow-[0_24px_40px_-24px_rgb(0_0_0/0.3)] group-data-scrolled/header:-mt-3 sm:px-8"
      >
        <ul className="divide-y divide-line">
          {navigation.map(({ category, label }) => (
            <li key={category}>
              <NavLink
                to={`/resources/${category}`}
                className="flex min-h-14 items-center justify-between font-serif text-2xl hover:text-accent aria-[current=page]:text-accent"
              >
                {label}
              </NavLink>
            </li>
          ))}
        </ul>
        <div className="mt-6 sm:hidden">{account}</div>
      </nav>
    </details>
  )
}
