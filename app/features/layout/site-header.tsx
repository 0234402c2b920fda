import { Menu, X } from 'lucide'
import { type ReactNode, useEffect, useRef } from 'react'
import { href, Link, NavLink, useLocation } from 'react-router'
import logo from '#app/assets/logo-mark.svg'
import { siteName } from '#app/session/site.ts'
import { Icon } from '#app/ui/icon.tsx'
import { containerClass } from '#app/ui/page.tsx'
import { navigation } from '#domain/resource.ts'
import { NavigationProgress } from './navigation.tsx'

/**
 * The header of every page. It keeps its height of 5rem in the page; what shrinks is only moved, so nothing shifts.
 * @param account what belongs to the reader: Login for visitors; for members their picture and Logout
 */
export function SiteHeader({ account }: { account: ReactNode }) {
  const { header, sentinel } = useScrolledState()
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
                    <NavLink
                      to={href('/resources/:category?', { category })}
                      prefetch="intent"
                      className={linkClass}
                    >
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
      to={href('/')}
      className="inline-flex min-h-11 origin-left items-center gap-2 transition-transform duration-200 ease-settle group-data-scrolled/header:scale-90"
    >
      <img src={logo} alt="" width={34} height={34} />
      <span className="font-serif text-[1.15rem] sm:text-[1.3rem] font-semibold tracking-tight whitespace-nowrap">
        {siteName}
      </span>
    </Link>
  )
}

/**
 * Puts `data-scrolled` on the header while the page is scrolled past the sentinel, which stands at the page's top and is
 * 10 px high (specification, section 9). Nothing is rendered again for it, and no scroll event is listened to.
 */
function useScrolledState() {
  const header = useRef<HTMLElement>(null)
  const sentinel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!sentinel.current) return
    const observer = new IntersectionObserver(([entry]) => {
      header.current?.toggleAttribute('data-scrolled', entry?.isIntersecting === false)
    })
    observer.observe(sentinel.current)
    return () => observer.disconnect()
  }, [])
  return { header, sentinel }
}

/** The menu of narrow screens: <details>, so that it opens without JavaScript too. */
function MobileMenu({ account }: { account: ReactNode }) {
  const menu = useDismissableMenu()
  return (
    <details ref={menu} className="group/menu lg:hidden">
      <summary className="inline-flex min-h-11 cursor-pointer list-none items-center gap-2 rounded-full border border-edge px-4 text-base font-semibold select-none hover:border-accent hover:text-accent [&::-webkit-details-marker]:hidden">
        <Icon icon={Menu} className="size-5 group-open/menu:hidden" strokeWidth={2} />
        <Icon icon={X} className="hidden size-5 group-open/menu:inline" strokeWidth={2} />
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
                to={href('/resources/:category?', { category })}
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

/** Makes a <details> behave as a menu: Escape, leaving it by press or Tab, and going to another page close it. */
function useDismissableMenu() {
  const menu = useRef<HTMLDetailsElement>(null)
  const { key } = useLocation()
  const shown = useRef(key)

  useEffect(() => {
    // Somebody may have opened it before the page was hydrated: only a move to another page closes it.
    if (shown.current !== key && menu.current) menu.current.open = false
    shown.current = key
  }, [key])

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !menu.current?.open) return
      menu.current.open = false
      menu.current.querySelector('summary')?.focus()
    }
    const onLeave = ({ target }: Event) => {
      if (menu.current?.open && !menu.current.contains(target as Node)) menu.current.open = false
    }
    const listening = new AbortController()
    const { signal } = listening
    document.addEventListener('keydown', onKeyDown, { signal })
    document.addEventListener('pointerdown', onLeave, { signal })
    document.addEventListener('focusin', onLeave, { signal })
    return () => listening.abort()
  }, [])

  return menu
}
