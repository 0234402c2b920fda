import type { ReactNode } from 'react'
import { href, Link } from 'react-router'
import { siteName, tagline, useSettings } from '#app/session/site.ts'
import { containerClass } from '#app/ui/page.tsx'
import { navigation } from '#domain/resource.ts'
import { ThemeChoice } from './theme.tsx'

const linkClass =
  'inline-flex min-h-11 items-center wrap-anywhere text-muted underline-offset-4 hover:text-accent hover:underline'

function Column({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h2 className="font-sans text-sm font-semibold tracking-normal">{title}</h2>
      <ul className="mt-2">{children}</ul>
    </div>
  )
}

function FooterLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <li>
      <Link to={to} className={linkClass}>
        {children}
      </Link>
    </li>
  )
}

/** The footer of every page. */
export function SiteFooter() {
  const { contactEmail } = useSettings()
  return (
    <footer className="bg-sunken print:hidden">
      <div
        className={`${containerClass} grid grid-cols-[2fr_3fr] gap-x-8 gap-y-10 pt-14 pb-10 md:grid-cols-[1.6fr_1fr_1fr] md:pt-20`}
      >
        <p className="col-span-2 max-w-[10.4em] font-serif md:col-span-1 text-3xl leading-tight tracking-tight text-balance">
          {tagline}
        </p>
        <nav aria-label="Library">
          <Column title="The library">
            {navigation.map(({ category, label }) => (
              <FooterLink key={category} to={href('/resources/:category?', { category })}>
                {label}
              </FooterLink>
            ))}
          </Column>
        </nav>
        <nav aria-label="About this site">
          <Column title="About this site">
            <FooterLink to={href('/about')}>About us</FooterLink>
            <FooterLink to={href('/privacy')}>Privacy</FooterLink>
            <FooterLink to={href('/terms')}>Terms</FooterLink>
            <li>
              <a href={`mailto:${contactEmail}`} className={linkClass}>
                {contactEmail}
              </a>
            </li>
          </Column>
        </nav>
      </div>
      <div className={`${containerClass} pb-10`}>
        <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-5 border-t border-line pt-6">
          {/* On New Year's night the page may be older than the browser's clock. */}
          <p className="text-sm text-muted" suppressHydrationWarning>
            © {new Date().getFullYear()} {siteName}
          </p>
          <ThemeChoice />
        </div>
      </div>
    </footer>
  )
}
