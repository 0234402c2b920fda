import './dashboard.css'
import { BookPlus, type IconNode, Library, LockKeyhole, Mic, Star } from 'lucide'
import type { ReactNode } from 'react'
import { href, Link } from 'react-router'
import { Icon } from '#app/ui/icon.tsx'
import { Banner, PageHeading } from '#app/ui/page.tsx'
import { Backups, StorageInUse } from './backups-and-storage.tsx'
import type { DashboardRow, DashboardStats, readDashboard } from './read-dashboard.ts'
import { ResourceRows } from './resource-rows.tsx'
import { UnsentMessages } from './unsent-messages.tsx'

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

/** The three counts, or that they could not be had (specification, sections 3 and 8). */
function Figures({ stats }: { stats: DashboardStats | null }) {
  if (!stats) {
    return (
      <Banner tone="danger" className="mt-8">
        Failed to load dashboard statistics
      </Banner>
    )
  }
  return (
    <dl className="figures">
      <Figure name="Total resources" value={stats.totalResources} />
      <Figure name="Total users" value={stats.totalUsers} />
      <Figure name="Active sessions" value={stats.activeSessions} hint="1:1 sessions today" />
    </dl>
  )
}

const Figure = ({ name, value, hint }: { name: string; value: number; hint?: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>
      {value.toLocaleString('en')} {hint && <span>{hint}</span>}
    </dd>
  </div>
)

const actions: readonly { to: string; label: string; icon: IconNode }[] = [
  { to: `${href('/resources/new')}?category=reading`, label: 'New reading', icon: BookPlus },
  { to: `${href('/resources/new')}?category=podcast`, label: 'New podcast', icon: Mic },
  { to: href('/resources/:category?'), label: 'All resources', icon: Library },
  { to: `${href('/admin')}?show=private`, label: 'Private resources', icon: LockKeyhole },
  { to: `${href('/admin')}?show=featured`, label: 'Featured resources', icon: Star },
]

/** Where admins go most. */
const QuickActions = () => (
  <nav aria-label="Quick actions">
    <ul className="quick-actions">
      {actions.map(({ to, label, icon }) => (
        <li key={to}>
          <Link to={to}>
            <Icon icon={icon} />
            {label}
          </Link>
        </li>
      ))}
    </ul>
  </nav>
)
