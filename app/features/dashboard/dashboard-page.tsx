import type { ReactNode } from 'react'
import { PageHeading } from '#app/ui/page.tsx'
import { Backups } from './backups.tsx'
import { Figures } from './figures.tsx'
import { QuickActions } from './quick-actions.tsx'
import type { DashboardRow, readDashboard } from './read-dashboard.ts'
import { ResourceRows } from './resource-rows.tsx'
import { StorageInUse } from './storage-in-use.tsx'
import { UnsentMessages } from './unsent-messages.tsx'
import './dashboard.css'

interface DashboardPageProps {
  dashboard: Awaited<ReturnType<typeof readDashboard>>
  /** What can be done with a resource, beside editing it. */
  actions: (resource: DashboardRow) => ReactNode
  /** What stands beside the list, for example what was deleted. */
  aside: ReactNode
}

/** What admins see first: how much there is, where to go, and what happened lately (specification, section 2). */
export const DashboardPage = ({ dashboard, actions, aside }: DashboardPageProps) => (
  <>
    <PageHeading title="Admin Dashboard" blurb="The library at a glance, and what you can do with it." />
    <Figures stats={dashboard.stats} />
    <QuickActions />
    <div className="dashboard">
      <ResourceRows shown={dashboard.shown} rows={dashboard.rows} actions={actions} />
      <div className="space-y-12">
        {aside}
        <UnsentMessages messages={dashboard.unsent} />
        <StorageInUse usage={dashboard.usage} />
        <Backups runs={dashboard.backups} />
      </div>
    </div>
  </>
)
