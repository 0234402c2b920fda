import { useRef } from 'react'
import { shadowContent, shadowTemplate } from './shadow-content.ts'
import { useAnchors } from './use-anchors.ts'
import { useScrollers } from './use-scrollers.ts'
import { useShadow } from './use-shadow.ts'
import './article-host.css'

// In the browser the children of the host are not React's business: the parser, or the hook, has made them a
// shadow root.
const isServer = typeof document === 'undefined'

/**
 * Shows an article that went through `sanitiseArticle` (never any other HTML) in a shadow root of its own, so
 * that its style blocks cannot touch the page. It stands in the server's HTML already, as a declarative one.
 */
export function ArticleBody({ html }: { html: string }) {
  const host = useRef<HTMLDivElement>(null)
  useShadow(host, shadowContent(html))
  useAnchors(host)
  useScrollers(host)
  const markup = { __html: isServer ? shadowTemplate(html) : '' }
  return (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: this is what the sanitiser is for
    <div ref={host} className="article-host" dangerouslySetInnerHTML={markup} />
  )
}
