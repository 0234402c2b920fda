import { Bookmark, Heart, History, LayoutDashboard, LogOut, ShieldCheck } from 'lucide'
import { type ReactNode, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { logOut } from '#app/session/client/log-out.ts'
import type { AdminAccess, Member } from '#app/session/current-user.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
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
            <Icon icon={LayoutDashboard} />
            Admin Dashboard
          </Link>
        </li>
      )}
      <li>
        <ComingLater icon={<Icon icon={Heart} />}>My Favorites</ComingLater>
      </li>
      <li>
        <ComingLater icon={<Icon icon={History} />}>Recently Viewed</ComingLater>
      </li>
      <li>
        <a href="#saved">
          <Icon icon={Bookmark} />
          Saved Resources
        </a>
      </li>
      <li>
        <Link to="/profile/security">
          <Icon icon={ShieldCheck} />
          Account Security
        </Link>
      </li>
      <li>
        <button type="button" onClick={leave}>
          <Icon icon={LogOut} />
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
