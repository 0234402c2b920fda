import { BookPlus, type IconNode, Library, LockKeyhole, Mic, Star } from 'lucide'
import { Link } from 'react-router'
import { Icon } from '#app/ui/icon.tsx'

const actions: readonly { to: string; label: string; icon: IconNode }[] = [
  { to: '/resources/new?category=reading', label: 'New reading', icon: BookPlus },
  { to: '/resources/new?category=podcast', label: 'New podcast', icon: Mic },
  { to: '/resources', label: 'All resources', icon: Library },
  { to: '/admin?show=private', label: 'Private resources', icon: LockKeyhole },
  { to: '/admin?show=featured', label: 'Featured resources', icon: Star },
]

/** Where admins go most. */
export const QuickActions = () => (
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
