import type { IconNode } from 'lucide'
import { type ComponentProps, createElement } from 'react'
import './icon.css'

interface IconProps extends ComponentProps<'svg'> {
  /** One of Lucide's drawings: `import { Heart } from 'lucide'`. */
  icon: IconNode
}

/**
 * A drawing in the colour of the text, 24 pixels wide or as its class says. What it means stands beside it, or is the
 * label of its button, so screen readers do not hear it. Why not lucide-react: docs/decisions/0043.
 */
export const Icon = ({ icon, className = '', strokeWidth = 1.75, ...svg }: IconProps) => (
  <svg
    viewBox="0 0 24 24"
    aria-hidden="true"
    {...svg}
    className={`icon ${className}`}
    strokeWidth={strokeWidth}
  >
    {icon.map(([shape, lines]) => createElement(shape, { ...lines, key: Object.values(lines).join() }))}
  </svg>
)
