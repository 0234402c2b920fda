import { Bookmark, Heart, History, LayoutDashboard, LogOut, ShieldCheck } from 'lucide'
import { type ReactNode, useState } from 'react'
import { href, Link, useNavigate } from 'react-router'
import { MfaNeeded } from '#app/features/login/admin-access.tsx'
import type { AdminAccess, Member } from '#app/session/current-user.tsx'
import { openSession } from '#app/session/session.ts'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Banner, Notice } from '#app/ui/page.tsx'
import { DeleteAccount } from './delete-account.tsx'
import { EditProfile } from './edit-profile.tsx'
import { Avatar } from './member-corner.tsx'
import './profile.css'

/** What a visitor finds at /profile. */
export const ProfileForMembers = () => (
  <Notice title="Please log in to view your profile">
    <p>Your saved resources and your account are kept behind your login.</p>
    <ButtonLink to={href('/login')}>Go to Login</ButtonLink>
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
    await navigate(href('/'))
    await (await openSession()).logOut()
  }
  return (
    <ul className="profile-links">
      {adminAccess !== 'none' && adminAccess !== 'open' && (
        <li className="text-muted">
          <MfaNeeded access={adminAccess} />
        </li>
      )}
      {adminAccess === 'open' && (
        <li>
          <Link to={href('/admin')}>
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
        <Link to={href('/profile/security')}>
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

/** What members may do with their account: change it, take all data with them, end it. */
function AccountSettings({ member }: { member: Member }) {
  const [failed, setFailed] = useState(false)
  const download = async () => setFailed(!(await downloadData()))
  return (
    <details className="group/settings">
      <summary className="min-h-11 cursor-pointer py-2 font-semibold hover:text-accent">
        Account settings
      </summary>
      <div className="mt-3 space-y-8">
        <EditProfile key={`${member.name} ${member.avatar}`} member={member} />
        <section>
          <h2 className="text-lg">Your data</h2>
          <p className="mt-1 text-sm text-muted">Everything we hold about you, as one JSON file.</p>
          <Button look="secondary" className="mt-3" onClick={download}>
            Download my data
          </Button>
          {failed && (
            <Banner tone="error" className="mt-3">
              Your data could not be collected. Please try again.
            </Banner>
          )}
        </section>
        <DeleteAccount email={member.email} />
      </div>
    </details>
  )
}

/** Saves all that is held about the member as a file. False when it could not be collected. */
async function downloadData(): Promise<boolean> {
  const { library } = await openSession()
  const { data, error } = await library.rpc('export_account')
  if (error || !data) return false
  saveFile('walking-together-my-data.json', JSON.stringify(data, null, 2), 'application/json')
  return true
}

/** Gives whoever is here a file to keep. */
export function saveFile(name: string, content: string, type: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([content], { type }))
  link.download = name
  link.click()
  // The browser has taken the file by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
