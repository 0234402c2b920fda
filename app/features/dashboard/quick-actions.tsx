import { BookPlus, Library, LockKeyhole, type LucideIcon, Mic, Star } from 'lucide-react'
import { Link } from 'react-router'

const actions: readonly { to: string; label: string; Icon: LucideIcon }[] = [
  { to: '/resources/new?category=reading', label: 'New reading', Icon: BookPlus },
  { to: '/resources/new?category=podcast', label: 'New podcast', Icon: Mic },
  { to: '/resources', label: 'All resources', Icon: Library },
  { to: '/admin?show=private', label: 'Private resources', Icon: LockKeyhole },
  { to: '/admin?show=featured', label: 'Featured resources', Icon: Star },
]

/** Where admins go most. */
export const QuickActions = () => (
  <nav aria-label="Quick actions">
    <ul className="quick-actions">
      {actions.map(({ to, label, Icon }) => (
        <li key={to}>
          <Link to={to}>
            <Icon aria-hidden />
            {label}
          </Link>
        </li>
      ))}
    </ul>
  </nav>
)
