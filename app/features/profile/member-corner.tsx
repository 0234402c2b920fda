import { ShieldCheck } from 'lucide'
import { useState } from 'react'
import { href, NavLink } from 'react-router'
import type { Member } from '#app/session/current-user.tsx'
import { openSession } from '#app/session/session.ts'
import { Button, classes } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'

/** A member's picture, which leads to the profile, and Logout. Admins carry a shield. */
export function MemberCorner({ member }: { member: Member }) {
  const isAdmin = member.role === 'admin'
  return (
    <div className="flex items-center gap-3">
      <NavLink
        to={href('/profile')}
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
      <Button look="secondary" onClick={async () => (await openSession()).logOut()}>
        Logout
      </Button>
    </div>
  )
}

interface AvatarProps {
  name: string
  address: string | null
  className?: string
}

/** A member's picture; their initials on a colour of their own when there is none, or when it cannot be shown. */
export function Avatar({ name, address, className }: AvatarProps) {
  const [broken, setBroken] = useState<string | null>(null)
  const shape = classes('block rounded-full object-cover', className)
  if (address && address !== broken) {
    return (
      <img
        src={address}
        alt=""
        width={88}
        height={88}
        referrerPolicy="no-referrer"
        onError={() => setBroken(address)}
        className={shape}
      />
    )
  }
  return (
    <svg viewBox="0 0 40 40" aria-hidden="true" className={shape} fill={warmColour(name)}>
      <circle cx="20" cy="20" r="20" />
      <text
        x="20"
        y="20.500"
        textAnchor="middle"
        dominantBaseline="central"
        fill="#fff"
        fontSize="16"
        fontWeight="600"
      >
        {initialsOf(name)}
      </text>
    </svg>
  )
}

// Each has white letters on it at 4.5:1 or better.
const colours = ['#b93b0a', '#7c2d12', '#9a5b00', '#8a3324', '#6b4a2f', '#2f5d62', '#54663f', '#7a3b52']

/** The first letters of the first and the last word of a name; one letter for a single word. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s._+-]+/).filter((word) => /[\p{L}\p{N}]/u.test(word))
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  return ends.map((word) => firstLetter(word ?? '')).join('') || '?'
}

const firstLetter = (word: string) => (/[\p{L}\p{N}]\p{M}*/u.exec(word)?.[0] ?? '').toUpperCase()

/** Always the same colour for the same name. */
export function warmColour(name: string): string {
  const sum = [...name].reduce((hash, letter) => (hash * 31 + (letter.codePointAt(0) ?? 0)) >>> 0, 7)
  return colours[sum % colours.length] ?? '#b93b0a'
}
