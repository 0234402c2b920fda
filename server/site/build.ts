import type { RequestListener } from 'node:http'
import type { ServerBuild } from 'react-router'
import type { servicesContext } from '#app/session/site.ts'

/** React Router's build of the site, whose entry module also exports the context key that loaders read. */
export interface SiteBuild extends ServerBuild {
  entry: ServerBuild['entry'] & {
    module: ServerBuild['entry']['module'] & { servicesContext: typeof servicesContext }
  }
}

/** The site as the service runs it: built for production, or under development with hot reload. */
export interface Site {
  mode: 'production' | 'development'
  /** The newest build: always the same in production, the edited one in development. */
  load(): Promise<SiteBuild>
  /** Puts the development server's own handling in front of ours. */
  around(listener: RequestListener): RequestListener
  close(): Promise<void>
}

export type OpenSite = () => Promise<Site>

const serverBuild = new URL('../../build/server/index.js', import.meta.url)

/** The site that `npm run build` left. Errors: a missing build. */
export const builtSite: OpenSite = async () => {
  const build = (await import(serverBuild.href)) as SiteBuild
  return {
    mode: 'production',
    load: async () => build,
    around: (listener) => listener,
    close: async () => undefined,
  }
}
