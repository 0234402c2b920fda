import { ShieldCheck } from 'lucide'
import { NavLink } from 'react-router'
import { logOut } from '#app/session/client/log-out.ts'
import type { Member } from '#app/session/current-user.ts'
import { Button } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Avatar } from './avatar.tsx'

/** A member's picture, which leads to the profile, and Logout. Admins carry a shield. */
export function MemberCorner({ member }: { member: Member }) {
  const isAdmin = member.role === 'admin'
  return (
    <div className="flex items-center gap-3">
      <NavLink
        to="/profile"
        aria-label={`Your profile, ${member.name}${isAdmin ? ' (admin)' : ''}`}
        title="Your profile"
        className="relative rounded-full outline-offset-2 transition-shadow hover:shadow-[0_0_0_3px_var(--color-tint)]"
      >
        <Avatar name={member.name} address={member.avatar} className="size-11" />
        {isAdmin && (
          <span className="absolute -end-1.5 -bottom-1.5 grid size-5.5 place-items-center rounded-full border-2 border-paper bg-dusk text-paper">
            <Icon icon={ShieldCheck} className="size-3" strokeWidth={2.5} />
          </span>
        )}
      </NavLink>
      <Button look="secondary" onClick={logOut}>
        Logout
      </Button>
    </div>
  )
}
