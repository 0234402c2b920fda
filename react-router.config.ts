import type { Config } from '@react-router/dev/config'

export default {
  appDirectory: 'app',
  ssr: true,
  splitRouteModules: false,
  // Every route is known from the first page on: no extra requests, and pages stay cacheable by their address alone.
  routeDiscovery: { mode: 'initial' },
} satisfies Config
