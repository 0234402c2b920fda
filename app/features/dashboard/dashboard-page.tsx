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
  /** What was deleted. */
  trash: ReactNode
}

/**
 * What admins see first: how much there is, where to go, and what happened lately (specification, section 2). What waits
 * for them (unsent messages, a backup that failed) comes before the trash, which can be long.
 */
export const DashboardPage = ({ dashboard, actions, trash }: DashboardPageProps) => (
  <>
    <PageHeading title="Admin Dashboard" blurb="The library at a glance, and what you can do with it." />
    <Figures stats={dashboard.stats} />
    <QuickActions />
    <div className="dashboard">
      <ResourceRows shown={dashboard.shown} rows={dashboard.rows} actions={actions} />
      <div className="dashboard-aside">
        <UnsentMessages messages={dashboard.unsent} />
        <Backups runs={dashboard.backups} />
        <StorageInUse usage={dashboard.usage} />
      </div>
      {trash}
    </div>
  </>
)
