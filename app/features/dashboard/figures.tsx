import { Banner } from '#app/ui/page.tsx'
import type { DashboardStats } from './read-dashboard.ts'

/** The three counts, or that they could not be had (specification, sections 3 and 8). */
export function Figures({ stats }: { stats: DashboardStats | null }) {
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
