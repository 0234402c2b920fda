import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { Button, type ButtonLook } from './button.tsx'

/** Goes where the reader came from; to `fallback` when this page was the first in its tab. Needs JavaScript. */
export function BackButton({
  fallback,
  look = 'secondary',
  children = 'Go Back',
}: {
  fallback: string
  look?: ButtonLook
  children?: ReactNode
}) {
  const navigate = useNavigate()
  const goBack = () => (window.history.length > 1 ? navigate(-1) : navigate(fallback))
  return (
    <Button look={look} onClick={goBack} className="noscript:hidden">
      {children}
    </Button>
  )
}
