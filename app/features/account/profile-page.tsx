import { Bookmark, Heart, History, LayoutDashboard, LogOut, ShieldCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { logOut } from '#app/session/client/log-out.ts'
import type { AdminAccess, Member } from '#app/session/current-user.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/page.tsx'
import { AccountSettings } from './account-settings.tsx'
import { Avatar } from './avatar.tsx'
import { MissingStep } from './missing-step.tsx'
import './profile.css'

/** What a visitor finds at /profile. */
export const ProfileForMembers = () => (
  <Notice title="Please log in to view your profile">
    <p>Your saved resources and your account are kept behind your login.</p>
    <ButtonLink to="/login">Go to Login</ButtonLink>
  </Notice>
)

/** A member's page (specification, section 2). @param children what they saved, and what else is there */
export function ProfilePage({ member, children }: { member: Member; children: ReactNode }) {
  return (
    <div className="profile">
      <aside className="profile-side" aria-label="Your account">
        <div className="flex items-center gap-4 lg:block">
          <Avatar name={member.name} address={member.avatar} className="size-18 shrink-0 lg:size-24" />
          <div className="min-w-0 lg:mt-4">
            <h1 className="text-2xl wrap-anywhere">{member.name}</h1>
            <p className="text-muted wrap-anywhere">{member.email}</p>
          </div>
        </div>
        <SideLinks adminAccess={member.adminAccess ?? 'none'} />
        <AccountSettings member={member} />
      </aside>
      <div className="min-w-0 space-y-16">{children}</div>
    </div>
  )
}

function SideLinks({ adminAccess }: { adminAccess: AdminAccess }) {
  const navigate = useNavigate()
  const leave = async () => {
    await navigate('/')
    await logOut()
  }
  return (
    <ul className="profile-links">
      {adminAccess !== 'none' && adminAccess !== 'open' && (
        <li className="text-muted">
          <MissingStep access={adminAccess} />
        </li>
      )}
      {adminAccess === 'open' && (
        <li>
          <Link to="/admin">
            <LayoutDashboard aria-hidden />
            Admin Dashboard
          </Link>
        </li>
      )}
      <li>
        <ComingLater icon={<Heart aria-hidden />}>My Favorites</ComingLater>
      </li>
      <li>
        <ComingLater icon={<History aria-hidden />}>Recently Viewed</ComingLater>
      </li>
      <li>
        <a href="#saved">
          <Bookmark aria-hidden />
          Saved Resources
        </a>
      </li>
      <li>
        <Link to="/profile/security">
          <ShieldCheck aria-hidden />
          Account Security
        </Link>
      </li>
      <li>
        <button type="button" onClick={leave}>
          <LogOut aria-hidden />
          Log Out
        </button>
      </li>
    </ul>
  )
}

/** Not there yet: says so in its place. */
function ComingLater({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  const [isAsked, setAsked] = useState(false)
  return (
    <button type="button" onClick={() => setAsked(true)}>
      {icon}
      {children}
      <span role="status" className="ms-auto text-sm text-muted">
        {isAsked && 'Coming soon'}
      </span>
    </button>
  )
}
