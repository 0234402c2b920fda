import type { OpenSite, SiteBuild } from './build.ts'

/** The site straight from its sources, through Vite: edits show at once in the open page. */
export const siteUnderDevelopment: OpenSite = async () => {
  const { createServer } = await import('vite')
  const vite = await createServer({ server: { middlewareMode: true }, appType: 'custom' })
  return {
    mode: 'development',
    load: async () => (await vite.ssrLoadModule('virtual:react-router/server-build')) as SiteBuild,
    around: (listener) => (request, response) =>
      vite.middlewares(request, response, () => listener(request, response)),
    close: () => vite.close(),
  }
}
