import type { ReactNode } from 'react'
import { Link, NavLink } from 'react-router'
import logo from '#app/assets/logo-mark.svg'
import { siteName } from '#app/session/site.ts'
import { containerClass } from '#app/ui/page.tsx'
import { navigation } from '#domain/category.ts'
import { MobileMenu } from './mobile-menu.tsx'
import { NavigationProgress } from './navigation-progress.tsx'
import { useScrolledMark } from './use-scrolled-mark.ts'

/**
 * The header of every page. It keeps its height of 5rem in the page; what shrinks is only moved, so nothing shifts.
 * @param account what belongs to the reader: Login for visitors; for members their picture and Logout
 */
export function SiteHeader({ account }: { account: ReactNode }) {
  const { header, sentinel } = useScrolledMark()
  return (
    <>
      <div ref={sentinel} aria-hidden="true" className="absolute top-0 h-2.5 w-px" />
      <header ref={header} className="group/header pointer-events-none sticky top-0 z-20 h-20 print:hidden">
        <div className="pointer-events-auto absolute inset-0 border-b border-transparent bg-paper transition duration-200 ease-settle group-data-scrolled/header:-translate-y-6 group-data-scrolled/header:border-line">
          <NavigationProgress />
        </div>
        <div className="relative transition-transform duration-200 ease-settle group-data-scrolled/header:-translate-y-3">
          <div
            className={`${containerClass} flex h-20 items-center justify-between gap-4 *:pointer-events-auto`}
          >
            <Logo />
            <nav aria-label="Main" className="hidden lg:block">
              <ul className="flex">
                {navigation.map(({ category, label }) => (
                  <li key={category}>
                    <NavLink to={`/resources/${category}`} prefetch="intent" className={linkClass}>
                      {label}
                    </NavLink>
                  </li>
                ))}
              </ul>
            </nav>
            <div className="flex items-center gap-2">
              <div className="hidden sm:block">{account}</div>
              <MobileMenu account={account} />
            </div>
          </div>
        </div>
      </header>
    </>
  )
}

const linkClass =
  'inline-flex min-h-11 items-center px-3 xl:px-4 underline-offset-8 decoration-2 hover:text-accent ' +
  'aria-[current=page]:underline aria-[current=page]:decoration-brand'

function Logo() {
  return (
    <Link
      to="/"
      className="inline-flex min-h-11 origin-left items-center gap-2 transition-transform duration-200 ease-settle group-data-scrolled/header:scale-90"
    >
      <img src={logo} alt="" width={34} height={34} />
      <span className="font-serif text-[1.15rem] sm:text-[1.3rem] font-semibold tracking-tight whitespace-nowrap">
        {siteName}
      </span>
    </Link>
  )
}
