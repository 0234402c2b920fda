import { useState } from 'react'
import { classes } from '#app/ui/button.tsx'
import { initialsOf, warmColour } from './initials.ts'

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
